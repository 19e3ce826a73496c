/// An error in the source that an engine compiles.
package struct EngineError: Error, Sendable {
  /// A description of the error, without its position.
  package var message: String
  /// The offset in bytes at which the error begins.
  var offset: Int
  /// A suggestion for correcting the error.
  package var suggestion: String?

  package init(_ message: String, at offset: Int, _ suggestion: String? = nil) {
    self.message = message
    self.offset = offset
    self.suggestion = suggestion
  }

  /// Returns the error for a key of a cassette whose engine is not linked.
  package static func notLinked(_ key: String) -> EngineError {
    EngineError(
      "\"\(key)\" needs CassetteEngines, which is not linked", at: 0,
      "add .product(name: \"CassetteEngines\", package: \"mockserver\") to the target's dependencies in Package.swift")
  }
}
