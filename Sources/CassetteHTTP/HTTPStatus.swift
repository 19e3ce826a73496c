/// The status code of a response (RFC 9110 §15).
public struct HTTPStatus: Hashable, Sendable {
  /// The three-digit code.
  public let code: Int

  /// Creates a status from its code.
  public init(_ code: Int) {
    self.code = code
  }

  /// True if the response is interim (1xx).
  public var isInformational: Bool { (100..<200).contains(code) }
  /// True if the request succeeded (2xx).
  public var isSuccessful: Bool { (200..<300).contains(code) }
  /// True if the response is a redirection (3xx).
  public var isRedirection: Bool { (300..<400).contains(code) }
  /// True if the status is an error of the client or the server (4xx or 5xx).
  public var isError: Bool { (400..<600).contains(code) }
  /// True if a response with this status may have content (RFC 9110 §6.4.1).
  public var allowsContent: Bool { !isInformational && code != 204 && code != 304 }
}

extension HTTPStatus: ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// Creates a status from its code.
  public init(integerLiteral code: Int) {
    self.code = code
  }

  /// The code and its standard phrase, such as `404 Not Found`.
  public var description: String {
    guard let standardPhrase else { return String(code) }
    return "\(code) \(standardPhrase)"
  }
}

extension HTTPStatus {
  /// The phrase in the IANA registry of status codes; nil for an unregistered code.
  public var standardPhrase: String? { Self.phrases[code] }

  private static let phrases: [Int: String] = [
    100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints", 200: "OK", 201: "Created",
    202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content",
    206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used", 300: "Multiple Choices",
    301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 305: "Use Proxy",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
    412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
    416: "Range Not Satisfiable", 417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content",
    423: "Locked", 424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required",
    429: "Too Many Requests", 431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates",
    507: "Insufficient Storage", 508: "Loop Detected", 510: "Not Extended", 511: "Network Authentication Required",
  ]
}
