internal import CassetteEngines
internal import CassetteHTTP
internal import Cassettes

/// A recorded exchange, reduced to the parts that describe a resource.
struct ObservedExchange {
  /// The index of the exchange in the recording.
  let number: Int
  let method: HTTPMethod
  /// The path in its encoded form, without a trailing slash.
  let path: String
  let query: [QueryItem]
  let status: Int
  let location: String?
  /// The bodies; nil if they are not JSON.
  let sent: EditableJSON?
  let answered: EditableJSON?

  /// Creates an observation of an exchange; fails if the exchange has no response or has its own rules for URLs.
  init?(_ interaction: Interaction, number: Int) {
    guard let response = interaction.response, !interaction.match.concernsTarget else { return nil }
    let parts = interaction.pathAndQuery.split(separator: "?", maxSplits: 1).map(String.init)
    let path = parts.first ?? "/"
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    query = QueryItem.parse(parts.count > 1 ? parts[1] : "")
    self.number = number
    method = interaction.method
    status = response.status.code
    location = response.headers["Location"]
    sent = (try? interaction.requestBody?.bytes()).flatMap { EditableJSON($0) }
    answered = (try? response.body?.bytes()).flatMap { EditableJSON($0) }
  }

  var isSuccess: Bool { (200...299).contains(status) }

  /// True if the request was refused because of its content.
  var isInvalid: Bool { status == 422 || status == 400 }

  /// The parent path, and the last step; nil for the root.
  var step: (above: String, name: String)? { Self.step(of: path) }

  static func step(of path: String) -> (above: String, name: String)? {
    guard path.count > 1, let slash = path.lastIndex(of: "/") else { return nil }
    let name = String(path[path.index(after: slash)...])
    let above = slash == path.startIndex ? "/" : String(path[..<slash])
    return name.isEmpty ? nil : (above, PercentEncoding.decodeText(name.utf8))
  }

  /// Returns the last step of a URL whose parent is `path`, or nil for any other URL.
  static func name(in address: String, below path: String) -> String? {
    guard address.hasPrefix("/") || address.contains("://"),
      let step = step(of: RecordedTarget.pathAndQuery(of: address)), step.above == path
    else { return nil }
    return step.name
  }
}
