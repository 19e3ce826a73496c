import CassetteHTTP
import MockServerWire
import Testing

/// A stream and its expected result.
struct Row: CustomTestStringConvertible {
  let section: String
  let name: String
  let bytes: [UInt8]
  let status: HTTPStatus?

  /// A stream that is accepted.
  init(_ section: String, _ name: String, _ text: String) {
    self.init(section, name, Array(text.utf8), status: nil)
  }

  /// A stream that is refused.
  init(_ section: String, _ name: String, _ text: String, _ status: HTTPStatus) {
    self.init(section, name, Array(text.utf8), status: status)
  }

  init(_ section: String, _ name: String, _ bytes: [UInt8], status: HTTPStatus?) {
    self.section = section
    self.name = name
    self.bytes = bytes
    self.status = status
  }

  var testDescription: String { "\(section) \(name)" }
}

/// Returns a request with a Host field, so that a row fails only for its own reason.
func get(_ fields: String = "", target: String = "/", method: String = "GET", version: String = "1.1") -> String {
  "\(method) \(target) HTTP/\(version)\r\nHost: shop.test\r\n\(fields)\r\n"
}
