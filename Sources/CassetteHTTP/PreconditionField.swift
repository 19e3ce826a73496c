internal import CassetteSystem

/// Request fields that ask for a response only under a condition, or for a part of it (RFC 9110 §13.1 and §14.2).
package enum PreconditionField {
  /// True if the name is `Range` or begins with `If-`, whatever its case.
  package static func isNamed(_ name: String) -> Bool {
    ASCII.equalIgnoringCase(name, "Range")
      || name.utf8.count > 3 && ASCII.equalIgnoringCase(String(name.prefix(3)), "If-")
  }
}
