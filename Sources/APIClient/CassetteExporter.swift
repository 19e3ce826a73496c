public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Keeps what a client saw, and writes it as a cassette to test with.
///
/// ```swift
/// let exporter = CassetteExporter(origin: "https://api.github.com")
/// let client = APIClient(baseURL: url) { $0.observe = exporter.observe }
/// try exporter.write(to: file)
/// ```
/// Secrets become `{{secret:1}}`, equal ones alike. What is secret is told by its name: read the file before it is shared.
public final class CassetteExporter: Sendable {
  private let origin: String
  private let exchanges = Mutex<[Exchange]>([])

  /// An exporter for an API: scheme and host, without a path.
  public init(origin: String) { self.origin = origin }

  /// Keeps an exchange; what was cancelled is not worth it.
  public func observe(_ exchange: Exchange) {
    if (exchange.error as? URLError)?.code != .cancelled { exchanges.withLock { $0.append(exchange) } }
  }

  /// Writes the cassette.
  ///
  /// - Throws: What the file system says.
  public func write(to file: URL) throws { try Data(cassette.utf8).write(to: file, options: .atomic) }

  /// The cassette's text.
  public var cassette: String {
    let kept = exchanges.withLock { $0 }
    var aliases = Aliases()
    // Once to find all secrets, once more to mask them wherever else they are.
    for exchange in kept { _ = interaction(exchange, id: "", &aliases) }
    let items = kept.enumerated().map { interaction($1, id: "exchange-\($0 + 1)", &aliases) }
    return "{\n  \"cassette\": 1,\n  \"origin\": \(Self.quote(origin)),\n  \"interactions\": [\n"
      + items.joined(separator: ",\n") + "\n  ]\n}\n"
  }

  /// Secrets and the names that stand for them.
  private struct Aliases {
    private var names: [String: String] = [:]
    mutating func alias(_ secret: String) -> String {
      if secret.isEmpty || secret.hasPrefix("{{secret:") { return secret }
      let name = names[secret] ?? "{{secret:\(names.count + 1)}}"
      names[secret] = name
      return name
    }
    /// A text without any of the secrets, the longest first; short ones would be found in innocent words.
    func mask(_ text: String) -> String {
      names.filter { $0.key.count >= 6 }.sorted { $0.key.count > $1.key.count }
        .reduce(text) { $0.replacing($1.key, with: $1.value) }
    }
  }

  private func interaction(_ exchange: Exchange, id: String, _ aliases: inout Aliases) -> String {
    let secrets = exchange.secrets
    var url = exchange.request.url?.absoluteString ?? ""
    if url.hasPrefix(origin + "/") { url.removeFirst(origin.count) }
    url = aliases.mask(secrets.mask(url: url) { aliases.alias($0) })
    let method = exchange.request.httpMethod ?? "GET"
    var request = ["\"method\": \(Self.quote(method))", "\"url\": \(Self.quote(url))"]
    request += message(
      exchange.request.allHTTPHeaderFields ?? [:], exchange.request.httpBody ?? Data(), secrets, &aliases)
    var outcome = "      \"failure\": { \"code\": \((exchange.error as? URLError)?.errorCode ?? -1) }"
    if exchange.error == nil, let response = exchange.response {
      let fields = response.allHeaderFields.reduce(into: [String: String]()) { $0["\($1.key)"] = "\($1.value)" }
      let parts = ["\"status\": \(response.statusCode)"] + message(fields, exchange.data, secrets, &aliases)
      outcome = Self.object("response", parts)
    }
    let parts = ["      \"id\": \(Self.quote(id))", Self.object("request", request), outcome]
    return "    {\n" + parts.joined(separator: ",\n") + "\n    }"
  }

  /// Header fields and body; what frames and compresses is made anew on replay.
  private func message(
    _ fields: [String: String], _ body: Data, _ secrets: Secrets, _ aliases: inout Aliases
  ) -> [String] {
    let framing = ["content-length", "transfer-encoding", "connection", "keep-alive", "trailer", "content-encoding"]
    var lines: [String] = []
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) where !framing.contains(name.lowercased()) {
      let masked = aliases.mask(secrets.mask(value, of: name) { aliases.alias($0) })
      // A session joins what are several fields.
      let values = name.lowercased() == "set-cookie" ? masked.split(separator: /, (?=[^=;,\s]+=)/) : [masked[...]]
      lines += values.map { "          [\(Self.quote(name)), \(Self.quote(String($0)))]" }
    }
    var parts = lines.isEmpty ? [] : ["\"headers\": [\n" + lines.joined(separator: ",\n") + "\n        ]"]
    guard !body.isEmpty else { return parts }
    let type = fields.first { $0.key.lowercased() == "content-type" }?.value
    if let text = String(data: body, encoding: .utf8), !text.contains(/[\p{Cc}--[\t\n\r]]/) {
      let masked = aliases.mask(secrets.mask(body: text, type: type) { aliases.alias($0) })
      parts.append("\"body\": { \"text\": \(Self.quote(masked)) }")
    } else {
      parts.append("\"body\": { \"base64\": \(Self.quote(body.base64EncodedString())) }")
    }
    return parts
  }

  private static func object(_ name: String, _ parts: [String]) -> String {
    "      \"\(name)\": {\n" + parts.map { "        \($0)" }.joined(separator: ",\n") + "\n      }"
  }

  private static func quote(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}
