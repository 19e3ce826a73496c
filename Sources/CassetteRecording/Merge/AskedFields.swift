import CassetteHTTP
internal import CassetteMatching
internal import Cassettes

/// The fields of a request by which recordings of one address are told apart.
struct AskedFields: Equatable {
  private let isEmpty: Bool
  private let hasCredentials: Bool
  /// The part that was asked for, and the conditions that were named (RFC 9110 §13.1, §14.2).
  private let range: String?
  private let conditions: [Bool]
  private let wishes: [String?]

  /// Creates them.
  ///
  /// - Parameter interaction: The request, its secrets taken out.
  init(_ interaction: Interaction) {
    let headers = interaction.requestHeaders
    isEmpty = headers.isEmpty
    hasCredentials = Credentials.presence(in: headers).field
    range = headers["Range"]
    conditions = ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"].map(headers.contains)
    wishes = ["Accept", "Accept-Language", "Content-Type", "Prefer"].map { headers[$0] }
  }

  /// Tells whether a recording of these may be replaced by one of others: not where a person, a part or a condition
  /// makes it another request.
  func mayBecome(_ new: AskedFields) -> Bool {
    isEmpty || (hasCredentials, range) == (new.hasCredentials, new.range) && conditions == new.conditions
  }
}
