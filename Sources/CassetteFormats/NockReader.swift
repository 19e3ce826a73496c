internal import CassetteJSON
internal import CassetteSystem
import Cassettes

/// Reads recorded definitions of nock, with `rawHeaders` or with `headers`.
enum NockReader {
  /// Converts one definition to recordings.
  static func interactions(of definition: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [Interaction] {
    guard let scope = definition["scope"]?.string else { throw Unusable("there is no \"scope\"") }
    guard let path = definition["path"]?.string else {
      throw Unusable(definition["path"] == nil ? "there is no \"path\"" : "\"path\" is a pattern")
    }
    // Older versions of nock write the status as text in `reply`, which takes precedence over `status`.
    let status = (definition["reply"] ?? definition["status"])?.integer ?? 200
    // Some versions write the port separately from the scope.
    let port = definition["port"]?.scalar.map { scope.dropFirst(8).contains(":") ? "" : ":\($0)" } ?? ""
    var exchange = Exchange(
      method: (definition["method"]?.string ?? "GET").uppercased(),
      url: (RecordedTarget.origin(of: scope + port) ?? scope + port)
        + (path.hasPrefix("/") ? path : "/" + path), status: status)
    exchange.requestHeaders = VCRReader.fields(definition["reqheaders"])
    // In nock, `*` matches any body.
    if definition["body"]?.string == "*" {
      exchange.match.ignoresBody = true
    } else if let sent = definition["body"] {
      // Without this member, nock matches any body.
      exchange.requestBody = try body(sent, isHex: false)
    }
    notes.asked = exchange
    exchange.headers = fields(definition["rawHeaders"] ?? definition["headers"])
    exchange.body = try body(definition["response"], isHex: definition["responseIsBinary"]?.isTrue ?? false)
    exchange.coding = .unknown
    if let body = definition["response"], body.isArray { try encoded(body, &exchange) }
    return [try exchange.interaction(&notes)]
  }

  /// Reads header fields from a flat list of names and values, or from an object.
  private static func fields(_ headers: JSONValue?) -> [(String, String)] {
    guard let headers else { return [] }
    guard headers.isArray else { return VCRReader.fields(headers) }
    let texts = headers.elements.map { $0.scalar ?? "" }
    return stride(from: 0, to: texts.count - 1, by: 2).map { (texts[$0], texts[$0 + 1]) }
  }

  /// Returns a string unchanged, and JSON in compact form, as most servers send it.
  private static func body(_ body: JSONValue?, isHex: Bool) throws(Unusable) -> [UInt8] {
    guard let body else { return [] }
    guard body.isString else { return body.compact }
    return isHex ? try hex(body.stringBytes) : body.stringBytes
  }

  /// Reads a compressed response, which is a list of pieces in hexadecimal.
  private static func encoded(_ body: JSONValue, _ exchange: inout Exchange) throws(Unusable) {
    let isCoded = exchange.headers.contains {
      $0.0.lowercased() == "content-encoding" && $0.1.lowercased() != "identity"
    }
    let pieces = body.elements
    guard isCoded, !pieces.isEmpty, pieces.allSatisfy(\.isString) else { return }
    var bytes: [UInt8] = []
    for piece in pieces { bytes += try hex(piece.stringBytes) }
    exchange.body = bytes
  }

  private static func hex(_ text: [UInt8]) throws(Unusable) -> [UInt8] {
    guard let bytes = Exchange.bytes(hexadecimal: text) else {
      throw Unusable("the hexadecimal body is invalid", refusesFile: true)
    }
    return bytes
  }
}
