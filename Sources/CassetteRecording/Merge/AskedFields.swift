import CassetteHTTP
internal import CassetteMatching
internal import CassetteSecrets
internal import Cassettes

/// The fields of a request by which recordings of one address are told apart.
struct AskedFields {
  /// The fields that two requests must have in common to be one that was asked again.
  enum Likeness: CaseIterable {
    /// All fields but those that differ each time.
    case all
    /// The form of an answer that is wanted: `Accept`, `Accept-Language`, `Content-Type` and `Prefer`.
    case wishes
    /// The credentials, the part and the conditions.
    case circumstances
  }

  private let isEmpty: Bool
  private let credentials: Credentials.Presence
  /// The part that was asked for, and the conditions that were named (RFC 9110 §13.1, §14.2).
  private let range: String?
  private let conditions: [Bool]
  private let wishes: [String]
  private let all: [String: [String]]

  /// Creates them.
  ///
  /// - Parameter interaction: The request, its secrets taken out.
  init(_ interaction: Interaction) {
    let headers = interaction.requestHeaders
    isEmpty = headers.isEmpty
    credentials = Credentials.presence(in: headers)
    range = headers["Range"]
    conditions = ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"].map(headers.contains)
    let fields = RecordingComparison.compared(headers).mapValues { $0.map { SecretAlias.neutral($0).text } }
    all = fields
    let wanted = ["accept", "content-type", "prefer"].flatMap { fields[$0] ?? [""] }
    wishes = wanted + headers.values(of: "Accept-Language")
  }

  /// Tells whether a recording of these may be made anew by a request with others.
  func isLike(_ new: AskedFields, _ likeness: Likeness) -> Bool {
    // A request without any field says nothing of credentials.
    guard isEmpty || credentials == new.credentials, range == new.range, conditions == new.conditions else {
      return false
    }
    return switch likeness {
    case .all: all == new.all && wishes == new.wishes
    case .wishes: wishes == new.wishes
    case .circumstances: true
    }
  }
}
