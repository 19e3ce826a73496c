/// Base64 with the URL-safe alphabet and without padding (RFC 4648 §5).
package enum Base64URL {
  /// Encodes bytes in base64url without padding.
  package static func text(of bytes: [UInt8]) -> String {
    let text = BodyBase64.encode(bytes).filter { $0 != UInt8(ascii: "=") }.map { byte in
      byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes Base64 in either alphabet, with or without padding; returns nil if the text is invalid.
  package static func bytes(of text: some Sequence<UInt8>) -> [UInt8]? {
    var padded = text.filter { $0 > 0x20 && $0 != UInt8(ascii: "=") }.map { byte in
      byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
    }
    while padded.count % 4 != 0 { padded.append(UInt8(ascii: "=")) }
    return BodyBase64.decode(padded)
  }
}
