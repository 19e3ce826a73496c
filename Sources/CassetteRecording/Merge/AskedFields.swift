import CassetteHTTP
internal import CassetteMatching
internal import CassetteSecrets
internal import Cassettes

/// The request fields that distinguish recordings with the same method and URL.
struct AskedFields {
  /// The fields that must be equal for a request to repeat another one.
  enum Likeness: CaseIterable {
    /// All fields except volatile ones.
    case all
    /// The requested form of the response: `Accept`, `Accept-Language`, `Content-Type` and `Prefer`.
    case wishes
    /// The credentials, the range and the conditions.
    case circumstances
  }

  private let isEmpty: Bool
  private let credentials: Credentials.Presence
  /// The requested range and the present conditions (RFC 9110 §13.1, §14.2).
  private let range: String?
  private let conditions: [Bool]
  /// The values of the fields that select an operation, by name.
  private let operations: [String: String?]
  private let wishes: [String]
  private let all: [String: [String]]

  /// Reads the fields of a request.
  init(_ interaction: Interaction) {
    let headers = interaction.requestHeaders
    isEmpty = headers.isEmpty
    credentials = Credentials.presence(in: headers)
    range = headers["Range"]
    conditions = ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"].map(headers.contains)
    let selecting = headers.compactMap { OperationField.named($0.name) }.filter { $0.presence == .selects }
    operations = Dictionary(
      selecting.map { ($0.name.description, $0.value(in: headers).map { SecretAlias.neutral($0).text }) },
      uniquingKeysWith: { first, _ in first })
    let fields = RecordingComparison.compared(headers).mapValues { $0.map { SecretAlias.neutral($0).text } }
    all = fields
    let wanted = ["accept", "content-type", "prefer"].flatMap { fields[$0] ?? [""] }
    wishes = wanted + headers.values(of: "Accept-Language")
  }

  /// True if a request with the new fields may replace a recording with these fields.
  func isLike(_ new: AskedFields, _ likeness: Likeness) -> Bool {
    // A recorded request without any fields matches all credentials.
    guard isEmpty || credentials == new.credentials, range == new.range, conditions == new.conditions,
      isEmpty || operations == new.operations
    else { return false }
    return switch likeness {
    case .all: all == new.all && wishes == new.wishes
    case .wishes: wishes == new.wishes
    case .circumstances: true
    }
  }
}
