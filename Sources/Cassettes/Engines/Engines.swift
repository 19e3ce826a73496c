internal import CCassetteSystem
internal import CassetteSystem

/// The engines that compile templates, resources and JSON Schemas.
///
/// Cassettes that need no engine can be read without them. A cassette that needs an engine which is not linked is
/// refused when it is read.
package struct Engines: Sendable {
  package var schemas: (any SchemaEngine)?
  package var templates: (any TemplateEngine)?
  package var resources: (any ResourceEngine)?

  package init() {}

  /// The engines that are linked into the process.
  package static var linked: Engines {
    _ = registration
    return registered.withLock { $0 }
  }

  /// Registers the engines of the process; called once by the target that contains them.
  package static func register(_ engines: Engines) { registered.withLock { $0 = engines } }

  private static let registered = Locked(Engines())
  private static let registration: Void = cassette_register_engines()
}

/// An error in the source that an engine compiles.
package struct EngineError: Error, Sendable {
  /// A description of the error, without its position.
  package var message: String
  /// The offset in bytes at which the error begins.
  package var offset: Int
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
