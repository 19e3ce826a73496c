internal import CassetteSystem

/// An ordered list of recorded exchanges.
public struct Cassette: Sendable {
  /// The name of the file without `.json`.
  public var name: String
  /// The path of the file that the cassette was read from; nil if it was made in code.
  public var file: String?
  /// The URL of the format's JSON Schema; nil if the file has none.
  public var schema: String?
  /// A comment for people.
  public var note: String?
  /// The scheme and authority of relative URLs: `https://api.github.com`.
  public var origin: String?
  /// True if the file has `"recording": "never"`: it is written by hand, and tests play it in every mode.
  public var isProtected = false
  /// The level at which requests are compared with the recordings; nil if the file does not specify one.
  public var matching: MatchLevel?
  /// The default matching rules of all recordings.
  @Boxed package var match = MatchRules()
  /// Collections whose elements requests can create, change and delete.
  package var resources: [any CompiledResource] = []
  /// The exchanges, in the order they were recorded.
  public var interactions: [Interaction]
  /// The warnings of the reader.
  public var warnings: [CassetteError] = []

  /// Creates a cassette of exchanges.
  public init(name: String, origin: String? = nil, interactions: [Interaction] = []) {
    self.name = name
    self.origin = origin
    self.interactions = interactions
  }
}
