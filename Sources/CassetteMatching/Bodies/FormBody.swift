internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// Parses a form's fields as members: the order of different names is irrelevant, the order within a name is not.
package enum FormBody {
  private static let bytesOfForms = ByteSet(0x21...0x7e)
  private static let bytesOfText = ByteSet(adding: "\"<>\\^`")

  private static let bytesOfBinaries = ByteSet(0...8, 0xe...0x1f)

  /// Returns false if bytes contain control characters other than white space, which forms encode.
  static func isPossible(_ bytes: [UInt8]) -> Bool { !bytes.contains { bytesOfBinaries.contains($0) } }

  /// Returns true if bytes without a content type look like a form.
  package static func isLikely(_ bytes: [UInt8]) -> Bool {
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > 0 else { return false }
    return bytes[..<equals].allSatisfy { $0 != UInt8(ascii: "&") }
      && bytes.allSatisfy { bytesOfForms.contains($0) && !bytesOfText.contains($0) }
  }

  /// Returns the decoded fields.
  static func tree(_ bytes: [UInt8]) -> JSONTree {
    var builder = JSONTreeBuilder()
    var members: [JSONTree.Member] = []
    for item in QueryItem.pairs(of: bytes) {
      members.append(JSONTree.Member(name: item.name, value: builder.string(item.value)))
    }
    let root = builder.object(members)
    return JSONTree(builder.bytes, root: root)
  }
}
