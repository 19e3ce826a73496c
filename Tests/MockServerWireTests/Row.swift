import CassetteHTTP
import MockServerWire
import Testing

/// A stream, and what a recipient must make of it.
struct Row: CustomTestStringConvertible {
  let section: String
  let name: String
  let bytes: [UInt8]
  let status: HTTPStatus?

  /// A stream that is taken, as so many requests.
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

/// A request line with a Host, so that a row fails for its own reason.
func get(_ fields: String = "", target: String = "/", method: String = "GET", version: String = "1.1") -> String {
  "\(method) \(target) HTTP/\(version)\r\nHost: shop.test\r\n\(fields)\r\n"
}
