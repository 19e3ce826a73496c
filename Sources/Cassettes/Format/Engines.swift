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
