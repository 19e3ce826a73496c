internal import CassetteJSON
internal import CassetteSystem

/// A stand-in for a JSON Web Token (RFC 7519): a decodable token with the original times and without identifying
/// claims.
///
/// The alias describes the token: `{{secret:5:jwt,('alg':'RS256','kid':$)('iss':'a','exp':1700003600,'sub':$uuid)}}`.
/// It is JSON in characters that are valid in JSON strings, URLs, fields and cookies. A `$` with a type replaces a
/// removed value.
enum JWTStandIn {
  /// The claims that identify no person and are kept, in addition to times and booleans.
  private static let kept: Set<String> = [
    "alg", "typ", "cty", "enc", "zip", "iss", "aud", "scope", "scp", "token_use", "acr", "amr", "ver", "locale",
    "zoneinfo",
  ]
  /// The default detail, for a token whose description is missing or too long.
  private static let usual = "('alg':'HS256','typ':'JWT')('sub':$,'exp':4102444800)"

  /// The maximum length of a detail in bytes; an alias is little longer.
  private static let longest = 1984

  // MARK: Alias

  /// Returns a description of a token's content, or nil if the value is not a JSON Web Token.
  static func detail(of token: [UInt8]) -> String? {
    let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].starts(with: "eyJ".utf8),
      let head = RedactionBase64.decode(parts[0]).flatMap({ JSONTree($0) }), case .object(let members) = head.root.kind,
      members.contains(where: { $0.name.elementsEqual("alg".utf8) }),
      let claims = RedactionBase64.decode(parts[1]).flatMap({ JSONTree($0) }), case .object = claims.root.kind
    else { return nil }
    let detail = text(of: head.root, in: head) + text(of: claims.root, in: claims)
    return detail.utf8.count < longest ? detail : ""
  }

  private static func text(of node: JSONTree.Node, in tree: JSONTree, isKept: Bool? = nil) -> String {
    switch node.kind {
    case .object(let members):
      let texts = members.map { member in
        let name = String(decoding: member.name, as: UTF8.self)
        return "'\(escaped(JSONString.encode(name)))':"
          + text(of: member.value, in: tree, isKept: isKept ?? kept.contains(name))
      }
      return "(\(texts.joined(separator: ",")))"
    case .array(let elements):
      return "[\(elements.map { text(of: $0, in: tree, isKept: isKept) }.joined(separator: ","))]"
    case .scalar: return value(Array(tree.bytes[node.range]), isKept: isKept ?? false)
    }
  }

  private static func value(_ token: [UInt8], isKept: Bool) -> String {
    guard token.first == UInt8(ascii: "\"") else {
      let text = String(decoding: token, as: UTF8.self)
      guard let number = Double(text) else { return text }
      // Times from 2001 to 2100, in seconds or milliseconds.
      let seconds = number > 4_102_444_800 ? number / 1000 : number
      let isTime = (978_307_200..<4_102_444_800).contains(seconds) && !text.contains("+")
      return isTime ? text : text.contains(".") ? "$number" : "$int"
    }
    let content = JSONTree.text(ofString: token[...])
    if isKept, content.count <= 256, !content.contains(UInt8(ascii: "@")), !SecretShapes.isToken(content) {
      return "'\(escaped(token))'"
    }
    return "$" + (SecretType(of: content).map { $0.kind == .jwt ? "" : $0.kind.rawValue } ?? "")
  }

  private static let plain = ByteSet.word.adding("-_.:~*|")

  /// Escapes the characters between the quotes of a JSON string.
  private static func escaped(_ token: [UInt8]) -> String {
    token.dropFirst().dropLast().reduce(into: "") { output, byte in
      let digits = String(byte, radix: 16, uppercase: true)
      output += plain.contains(byte) ? String(UnicodeScalar(byte)) : "!" + (byte < 16 ? "0" : "") + digits
    }
  }

  // MARK: Token

  /// Returns the stand-in token for a secret's number and detail.
  static func token(_ number: Int, _ detail: String) -> String {
    let parts = (detail.isEmpty ? usual : detail).split(separator: ")(", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return token(number, "") }
    // An unsecured token has no signature (RFC 7519 §6).
    let signature = parts[0].contains("'alg':'none'") ? "" : "secret-\(number)"
    return [json(parts[0] + ")", number), json("(" + parts[1], number), Array(signature.utf8)]
      .map(Base64URL.text).joined(separator: ".")
  }

  private static func json(_ text: String, _ number: Int) -> [UInt8] {
    var output: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "("): output.append(UInt8(ascii: "{"))
      case UInt8(ascii: ")"): output.append(UInt8(ascii: "}"))
      case UInt8(ascii: "'"): output.append(UInt8(ascii: "\""))
      case UInt8(ascii: "!"):
        output.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? byte)
        rest = rest.dropFirst(2)
      case UInt8(ascii: "$"):
        let name = rest.prefix { ($0 | 0x20) &- 0x61 < 26 }
        rest = rest.dropFirst(name.count)
        let type = SecretType(notation: name)
        let value = StandIn.text(number, type)
        output += type?.kind.isBare == true ? Array(value.utf8) : JSONString.encode(value)
      default: output.append(byte)
      }
    }
    return output
  }
}
