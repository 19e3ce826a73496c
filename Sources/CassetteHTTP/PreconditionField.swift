internal import CassetteSystem

/// The request fields for conditional requests and range requests (RFC 9110 §13.1 and §14.2).
package enum PreconditionField {
  /// Returns true if the name is `Range` or begins with `If-`, compared case-insensitively.
  package static func isNamed(_ name: String) -> Bool {
    ASCII.equalIgnoringCase(name, "Range")
      || name.utf8.count > 3 && ASCII.equalIgnoringCase(String(name.prefix(3)), "If-")
  }
}
