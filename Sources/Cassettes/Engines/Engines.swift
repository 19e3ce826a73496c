internal import CCassetteEngines
internal import CassetteSystem

/// The engines that compute answers and conditions: templates, resources and JSON Schema.
///
/// The core works without them. A cassette that needs an engine that is not linked is refused where it is read.
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

  /// Adds engines to those of the process; called once by the target that links them.
  package static func register(_ engines: Engines) { registered.withLock { $0 = engines } }

  private static let registered = Locked(Engines())
  private static let registration: Void = cassette_register_engines()
}

/// An error in a text that an engine compiles.
package struct EngineError: Error, Sendable {
  /// A description of the error, in words that follow a place.
  package var message: String
  /// The byte of the text at which the error begins.
  package var offset: Int
  /// A suggestion for correcting the text.
  package var suggestion: String?

  package init(_ message: String, at offset: Int, _ suggestion: String? = nil) {
    self.message = message
    self.offset = offset
    self.suggestion = suggestion
  }

  /// The error of a key whose engine is not linked.
  package static func notLinked(_ key: String) -> EngineError {
    EngineError(
      "\"\(key)\" needs CassetteEngines, which is not linked", at: 0,
      "add .product(name: \"CassetteEngines\", package: \"mockserver\") to the target's dependencies in Package.swift")
  }
}
