internal import CassetteHTTP
package import CassetteJSON

/// A request body in the form in which two of them are compared: as what it is, not as it is spelt.
///
/// JSON is compared as values, a form as fields, multipart without its boundary, GraphQL in normal form, JSON-RPC
/// without its `id`, and all else as bytes. It costs a walk over the body, once.
package struct NormalBody: Sendable {
  /// The form in which a body is compared.
  package enum Kind: UInt64, Sendable {
    case json, form, multipart, text, bytes
  }

  /// The body as it was sent.
  let bytes: [UInt8]
  /// The form in which it is compared.
  package let kind: Kind
  /// The differences that are allowed on purpose.
  let tolerance: JSONTolerance
  /// The fingerprint: equal for bodies that say the same, another otherwise.
  package let digest: BodyDigest
  /// The fingerprint with a mark in the place of each value that is made anew at each call.
  ///
  /// Bodies that share it differ in nothing else. The mark is that of the value's JSON type.
  package let skeleton: BodyDigest
  /// The values; nil for text and other bytes.
  let tree: JSONTree?

  /// Reads a body as its `Content-Type` says, or by its looks where that says nothing.
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
    // A form's fields are no JSON, whatever they say.
    pair.digest.add(kind.rawValue)
    pair.skeleton.add(kind.rawValue)
    (digest, skeleton) = pair
  }

  private static func read(_ bytes: [UInt8], _ type: MediaType?) -> (Kind, JSONTree?) {
    guard !bytes.isEmpty else { return (.bytes, nil) }
    let isUnsaid = type.map { $0.type == "application" && $0.subtype == "octet-stream" } ?? true
    // JSON is JSON whatever its type says: curl calls it a form. A number in a text is a part of it.
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

  /// True if secrets were taken out of it, so that its fingerprints tell nothing and it is compared place by place.
  ///
  /// Looks through the body: meant to be asked once of a recording.
  package var hasPlaceholders: Bool { PlaceholderPattern.mayHold(bytes) || tree.map(SecretNumber.isIn) ?? false }
}
