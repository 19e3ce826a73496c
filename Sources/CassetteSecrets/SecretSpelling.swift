internal import CassetteHTTP
internal import CassetteJSON

/// The way a text escapes the values in it.
package enum SecretSpelling: CaseIterable, Sendable {
  case raw, percent, json

  /// Spells a value for a text of this kind.
  package func spelled(_ value: [UInt8]) -> [UInt8] {
    switch self {
    case .raw: value
    case .json: Array(JSONString.encode(String(decoding: value, as: UTF8.self)).dropFirst().dropLast())
    case .percent: PercentEncoding.encode(value)
    }
  }
}
