internal import CassetteHTTP
import CassetteJSON
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// Replaces the placeholders of secrets in a recording, so that its request can be sent again.
package struct SecretFilling: Sendable {
  /// The reason why a request cannot be restored.
  package enum Failure: Error, Hashable, Sendable {
    /// Secrets with these numbers are unknown.
    case missing([Int])
    /// The request cannot be sent; the value is the reason.
    case impossible(String)
  }

  private let values: [Int: String]

  /// Creates a replacement with the secrets by number.
  init(_ values: [Int: String]) { self.values = values }

  /// Returns true if a secret can be sent in a header field, which excludes control characters.
  package static func canBeSent(_ value: String) -> Bool { !value.isEmpty && value.utf8.allSatisfy(isVisible) }

  private static func isVisible(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7f || byte == 0x09 }

  /// Returns true for a token (RFC 9110 §5.6.2).
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !separators.contains($0) }
  }

  private static let separators = Set("\"(),/:;<=>?@[\\]{}".utf8)

  /// Returns the original request of a recording, in origin form.
  func request(of interaction: Interaction) throws(Failure) -> HTTPRequest {
    var missing: Set<Int> = []
    let path = fill(Array(Self.plain(interaction.pathAndQuery).utf8), .percent, &missing)
    var headers = HTTPHeaders()
    for field in interaction.requestHeaders {
      let value = String(decoding: fill(Array(field.value.utf8), .raw, &missing), as: UTF8.self)
      headers.append(.init(name: field.name, value: value, isLatin1: field.isLatin1))
    }
    var body: [UInt8] = []
    do {
      body = try interaction.requestBody?.bytes() ?? []
    } catch {
      throw .impossible("its body cannot be read: \(error.message)")
    }
    let type = interaction.requestHeaders.mediaType
    let isForm = type?.type == "application" && type?.subtype == "x-www-form-urlencoded"
    body = fill(body, isForm ? .percent : type?.isJSON ?? false ? .json : .raw, &missing)
    guard missing.isEmpty else { throw .missing(missing.sorted()) }
    for text in [path, body] + headers.map({ Array($0.value.utf8) })
    where text.firstIndex(of: Self.mark, from: 0) != nil {
      throw .impossible("it contains a {{secret}} without a number")
    }
    // A cassette may be edited, so its fields are not known to be valid.
    guard headers.allSatisfy({ Self.isName($0.name) && $0.value.utf8.allSatisfy(Self.isVisible) }),
      Self.isName(interaction.method.rawValue)
    else { throw .impossible("its method or a header field is invalid") }
    guard let target = HTTPTarget(String(decoding: path, as: UTF8.self)) else {
      throw .impossible("its url is invalid")
    }
    return HTTPRequest(method: interaction.method, target: target, headers: headers, body: body)
  }

  private static let mark = Array("{{secret".utf8)

  /// Returns a URL with the braces of placeholders unescaped, which editors and libraries may have escaped.
  private static func plain(_ url: String) -> String {
    guard url.contains("%7B%7Bsecret") || url.contains("%7b%7bsecret") else { return url }
    return url.replacing("%7B%7B", with: "{{").replacing("%7b%7b", with: "{{").replacing("%7D%7D", with: "}}")
      .replacing("%7d%7d", with: "}}").replacing("{{secret%3A", with: "{{secret:")
      .replacing("{{secret%3a", with: "{{secret:")
  }

  private func fill(_ text: [UInt8], _ spelling: SecretSpelling, _ missing: inout Set<Int>) -> [UInt8] {
    var output: [UInt8] = []
    var at = 0
    SecretAlias.each(in: text) { alias in
      guard let value = values[alias.number] else {
        missing.insert(alias.number)
        return
      }
      let quotes = alias.isQuotedNumber && spelling == .json && JSONNumber(Array(value.utf8)[...]) != nil ? 1 : 0
      output += text[at..<alias.range.lowerBound - quotes]
      output += spelling.spelled(Array(value.utf8))
      at = alias.range.upperBound + quotes
    }
    return output + text[at...]
  }
}
