internal import CassetteSystem

/// Detection of bodies that cannot be searched for secrets: unsupported codings, archives and encrypted files.
///
/// Images, audio, video, fonts and PDF are not included, because they contain no text in any case.
package enum OpaqueBody {
  /// A hint for error messages, which names the options for keeping such a body.
  package static let remedy = "keep it unscanned with --keep-opaque, in tests with .keepingOpaque"

  /// Values of `Content-Encoding` that do not change the text of a body.
  private static let transparent: Set = ["aws-chunked", "amz-1.0"]

  /// Returns the reason why a body cannot be searched for secrets, worded to follow a colon; nil if it can.
  package static func reason(_ bytes: [UInt8], _ headers: HTTPHeaders, isPart: Bool = false) -> String? {
    guard !bytes.isEmpty else { return nil }
    let type = headers.mediaType
    if headers.contains("Content-Encoding") {
      let names = ContentDecoder.names(of: headers).filter { !transparent.contains($0) }
      if !names.isEmpty, !isText(bytes) { return reason(bytes, codedIn: names, headers, isPart) }
    }
    if type?.subtype.hasPrefix("grpc") == true, let coding = headers["grpc-encoding"], coding != "identity" {
      return "the messages of its body are encoded in \"\(coding)\""
    }
    return reason(bytes, type, isPart: isPart, depth: 0)
  }

  private static func reason(
    _ bytes: [UInt8], codedIn names: [String], _ headers: HTTPHeaders, _ isPart: Bool
  ) -> String? {
    let text = names.joined(separator: ", ")
    for name in names {
      guard let coding = ContentCoding(name: name) else {
        return "its body has the unknown encoding \"\(name)\""
      }
      guard coding.canDecode else {
        let library = coding.library
        return "its body has the encoding \"\(name)\", but \(library.name) is not installed: \(library.remedy)"
      }
    }
    let damaged = "its body does not have the stated Content-Encoding \"\(text)\""
    guard let decoder = ContentDecoder(HTTPHeaders([("Content-Encoding", text)])) else {
      return "its body has \(names.count) encodings, which is too many"
    }
    do throws(ContentDecoder.Failure) {
      let content = try decoder.decode(bytes, limit: ContentDecoder.longest)
      guard isPart || decoder.isComplete else { return damaged }
      return reason(content, headers.mediaType, isPart: isPart, depth: 1)
    } catch {
      return error.isTooLong ? tooLong : damaged
    }
  }

  private static let tooLong = "its decoded body is longer than \(ContentDecoder.longest >> 20) MB"

  private static func reason(_ bytes: [UInt8], _ type: MediaType?, isPart: Bool, depth: Int) -> String? {
    if let kind = archive(bytes[...]) { return "its body is \(kind), which is not scanned" }
    if let coding = BodyCoding.compression(of: bytes) {
      if isPart { return nil }
      guard coding != .zstd || ContentCoding.zstd.canDecode else {
        let library = ContentCoding.zstd.library
        return "its body is a zstd file, but \(library.name) is not installed: \(library.remedy)"
      }
      guard depth < ContentCoding.deepest else { return "its body is compressed too many times" }
      if let content = BodyCoding.unwrapping(bytes, charset: nil)?.content {
        return reason(content, nil, isPart: false, depth: depth + 1)
      }
      // The signature of zlib is short, so the data may be in any other format.
      if coding != .zlib {
        return "its body is a \(coding) file that is damaged or longer than \(ContentDecoder.longest >> 20) MB"
      }
    }
    guard let type else { return nil }
    if type.type == "multipart", let kind = partKind(bytes) {
      return "a part of its body is \(kind), which is not scanned"
    }
    if archives.contains(type.subtype), !isText(bytes) {
      return "its body is \(type.type)/\(type.subtype), which is not scanned"
    }
    return nil
  }

  /// Media types of archives and encrypted content, not all of which have a signature.
  private static let archives: Set = [
    "zip", "x-zip-compressed", "java-archive", "vnd.android.package-archive", "x-7z-compressed", "vnd.rar", "x-rar",
    "x-rar-compressed", "x-xz", "x-bzip", "x-bzip2", "x-lzma", "x-lzip", "x-compress", "x-lz4", "pgp-encrypted",
    "pkcs7-mime", "x-pkcs7-mime", "gzip", "x-gzip", "zstd",
  ]

  private static let marks: [(mark: [UInt8], kind: String)] = [
    ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"), ([0x50, 0x4B, 0x05, 0x06], "a ZIP archive"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive"), (Array("Rar!\u{1A}\u{07}".utf8), "a RAR archive"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "an xz file"), ([0x04, 0x22, 0x4D, 0x18], "an LZ4 file"),
    (Array("LZIP\u{01}".utf8), "an lzip file"), ([0x1F, 0x9D], "a compress file"),
    (Array("SQLite format 3\0".utf8), "a database"), (Array("Salted__".utf8), "encrypted"),
    (Array("age-encryption.org/v1\n".utf8), "encrypted"),
  ]

  /// Returns the kind of archive according to its signature; nil if it is not an archive.
  private static func archive(_ bytes: ArraySlice<UInt8>) -> String? {
    if let found = marks.first(where: { bytes.starts(with: $0.mark) }) { return found.kind }
    // The signature is "BZh", a digit, and digits of pi.
    let isBzip2 = bytes.starts(with: [0x42, 0x5A, 0x68]) && bytes.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26])
    return isBzip2 ? "a bzip2 file" : nil
  }

  /// Returns the kind of compressed file in a part of a multipart body.
  ///
  /// The content of each part follows an empty line.
  private static func partKind(_ bytes: [UInt8]) -> String? {
    let lineEnd: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
    var at = 0
    while let next = bytes[at...].firstIndex(of: 0x0D) {
      at = next + 1
      guard bytes[next...].starts(with: lineEnd) else { continue }
      let part = bytes[(next + 4)...]
      if let kind = archive(part) { return kind }
      if part.starts(with: [0x1F, 0x8B, 0x08]) { return "a gzip file" }
      if part.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return "a zstd file" }
    }
    return nil
  }

  /// Returns true if the bytes are readable text, regardless of the media type.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    !bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D && $0 != 0x1B }
      && String(validUTF8: bytes) != nil
  }
}
