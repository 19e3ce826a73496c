internal import CassetteHTTP
package import CassetteJSON

/// A request body in normal form, so that bodies are compared by content instead of spelling.
///
/// JSON is compared as values, a form as fields, multipart without its boundary, GraphQL in normal form, JSON-RPC
/// without its `id`, and everything else as bytes. Creating the normal form takes one pass over the body.
package struct NormalBody: Sendable {
  /// The form in which a body is compared.
  package enum Kind: UInt64, Sendable {
    case json, form, multipart, text, bytes
  }

  /// The bytes of the body.
  let bytes: [UInt8]
  /// The form in which the body is compared.
  package let kind: Kind
  /// The differences that the rules permit.
  let tolerance: JSONTolerance
  /// The digest, which is equal for bodies with equal content.
  package let digest: BodyDigest
  /// The digest with each generated value replaced by a mark.
  ///
  /// Bodies with equal skeletons differ only in values that are generated at each call. The mark depends on the JSON
  /// type of the value.
  package let skeleton: BodyDigest
  /// The values; nil for text and other bytes.
  let tree: JSONTree?

  /// Parses a body according to its `Content-Type`, or by its appearance if the type is missing or generic.
  package init(_ bytes: [UInt8], contentType: String?, tolerance: JSONTolerance = JSONTolerance()) {
    self.bytes = bytes
    self.tolerance = tolerance
    (kind, tree) = Self.read(bytes, contentType.flatMap { MediaType($0) })
    var pair =
      if let tree {
        BodyDigester.digests(of: tree, tolerance)
      } else {
        BodyDigester.digests(of: bytes, isText: kind == .text)
      }
    // A form never equals a JSON body, even if their fields are equal.
    pair.digest.add(kind.rawValue)
    pair.skeleton.add(kind.rawValue)
    (digest, skeleton) = pair
  }

  private static func read(_ bytes: [UInt8], _ type: MediaType?) -> (Kind, JSONTree?) {
    guard !bytes.isEmpty else { return (.bytes, nil) }
    let isUnsaid = type.map { $0.type == "application" && $0.subtype == "octet-stream" } ?? true
    // JSON is detected regardless of the type, because curl sends it as a form. A lone number in a text body remains
    // text.
    if let tree = JSONBody.tree(bytes), tree.isContainer || isUnsaid || type?.isJSON == true { return (.json, tree) }
    if type?.subtype == "graphql", let tree = JSONBody.tree(ofDocument: bytes) { return (.json, tree) }
    if type?.type == "multipart" || isUnsaid {
      let said = type?.parameter("boundary").map { Array($0.utf8) }
      let tree = said.flatMap { MultipartBody.tree(bytes, boundary: $0) }
      if let tree = tree ?? MultipartBody.boundary(of: bytes).flatMap({ MultipartBody.tree(bytes, boundary: $0) }) {
        return (.multipart, tree)
      }
    }
    if type?.subtype == "x-www-form-urlencoded" || isUnsaid && FormBody.isLikely(bytes) {
      return (.form, FormBody.tree(bytes))
    }
    return (BodyText.isText(bytes) ? .text : .bytes, nil)
  }

  /// True if secrets were redacted, so that the digests are useless and the body is compared place by place.
  ///
  /// Searches the whole body: intended for one call per recording.
  package var hasPlaceholders: Bool { PlaceholderPattern.mayHold(bytes) || tree.map(SecretNumber.isIn) ?? false }
}
