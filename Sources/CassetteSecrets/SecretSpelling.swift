internal import CassetteHTTP
internal import CassetteJSON

/// The escaping of values in a body, field or URL.
package enum SecretSpelling: CaseIterable, Sendable {
  case raw, percent, json

  /// Escapes a value.
  package func spelled(_ value: [UInt8]) -> [UInt8] {
    switch self {
    case .raw: value
    case .json: Array(JSONString.encode(String(decoding: value, as: UTF8.self)).dropFirst().dropLast())
    case .percent: PercentEncoding.encode(value)
    }
  }
}
