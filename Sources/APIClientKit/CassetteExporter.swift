public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A recorder of a client's exchanges, which writes them as a cassette for tests.
///
/// ```swift
/// let exporter = CassetteExporter(origin: "https://api.github.com")
/// let client = APIClient(baseURL: url) { $0.observe = exporter.observe }
/// try exporter.write(to: file)
/// ```
/// Secrets are replaced with `{{secret:1}}`, equal secrets with the same alias. Secrets are recognized by their names,
/// so check the file before sharing it.
public final class CassetteExporter: Sendable {
  private let origin: String
  private let exchanges = Locked<[Exchange]>([])

  /// Creates an exporter.
  ///
  /// - Parameter origin: The origin of the API: scheme and host, without a path.
  public init(origin: String) { self.origin = origin }

  /// Records an exchange, unless it was cancelled.
  public func observe(_ exchange: Exchange) {
    if (exchange.error as? URLError)?.code != .cancelled { exchanges.withLock { $0.append(exchange) } }
  }

  /// Writes the cassette to a file.
  ///
  /// Throws an error of the file system.
  public func write(to file: URL) throws { try Data(cassette.utf8).write(to: file, options: .atomic) }

  /// The text of the cassette.
  public var cassette: String {
    let kept = exchanges.withLock { $0 }
    var aliases = Aliases()
    // The first pass collects all secrets, which the second pass then masks in every place.
    for exchange in kept { _ = interaction(exchange, id: "", &aliases) }
    let interactions = kept.enumerated().map { interaction($1, id: "exchange-\($0 + 1)", &aliases) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let data = try? encoder.encode(ExportedCassette(origin: origin, interactions: interactions))
    // In cassettes a header field is written on one line. Encoded strings contain no line breaks that the patterns
    // could match.
    return String(decoding: data ?? Data(), as: UTF8.self)
      .replacing(/\[\n\s+(".*"),\n\s+(".*")\n\s+\]/) { "[\($0.1), \($0.2)]" }
      .replacing(/\n(\s+"\w+")\s:/) { "\n\($0.1):" } + "\n"
  }

  /// The aliases of secrets.
  private struct Aliases {
    private var names: [String: String] = [:]
    mutating func alias(_ secret: String) -> String {
      if secret.isEmpty || secret.hasPrefix("{{secret:") { return secret }
      let name = names[secret] ?? "{{secret:\(names.count + 1)}}"
      names[secret] = name
      return name
    }
    /// Replaces all secrets in a text, longest first.
    ///
    /// Secrets shorter than six bytes are skipped, because they would match ordinary words.
    func mask(_ text: String) -> String {
      names.filter { $0.key.count >= 6 }.sorted { $0.key.count > $1.key.count }
        .reduce(text) { $0.replacing($1.key, with: $1.value) }
    }
  }

  private func interaction(
    _ exchange: Exchange, id: String, _ aliases: inout Aliases
  ) -> ExportedCassette.Interaction {
    let (sent, secrets) = (exchange.request, exchange.secrets)
    var url = sent.url?.absoluteString ?? ""
    if url.hasPrefix(origin + "/") { url.removeFirst(origin.count) }
    url = aliases.mask(secrets.mask(url: url) { aliases.alias($0) })
    var request = message(sent.allHTTPHeaderFields ?? [:], sent.httpBody ?? Data(), secrets, &aliases)
    (request.method, request.url) = (sent.httpMethod ?? "GET", url)
    guard exchange.error == nil, let came = Response(exchange) else {
      return .init(id: id, request: request, failure: ["code": (exchange.error as? URLError)?.errorCode ?? -1])
    }
    var response = message(came.headers, came.data, secrets, &aliases)
    response.status = came.status
    return .init(id: id, request: request, response: response)
  }

  /// Returns header fields and body.
  ///
  /// Fields for framing and compression are omitted, because playback sets them.
  private func message(
    _ fields: [String: String], _ body: Data, _ secrets: Secrets, _ aliases: inout Aliases
  ) -> ExportedCassette.Message {
    let framing = ["content-length", "transfer-encoding", "connection", "keep-alive", "trailer", "content-encoding"]
    var message = ExportedCassette.Message()
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) where !framing.contains(name.lowercased()) {
      let masked = aliases.mask(secrets.mask(value, of: name) { aliases.alias($0) })
      // The session joins several `Set-Cookie` fields into one.
      let values = name.lowercased() == "set-cookie" ? masked.split(separator: /, (?=[^=;,\s]+=)/) : [masked[...]]
      message.headers = (message.headers ?? []) + values.map { [name, String($0)] }
    }
    guard !body.isEmpty else { return message }
    if let text = String(data: body, encoding: .utf8), !text.contains(/[\p{Cc}--[\t\n\r]]/) {
      let type = fields.first { $0.key.lowercased() == "content-type" }?.value
      message.body = ["text": aliases.mask(secrets.mask(body: text, type: type) { aliases.alias($0) })]
    } else {
      message.body = ["base64": body.base64EncodedString()]
    }
    return message
  }
}
