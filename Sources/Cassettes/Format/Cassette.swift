/// An ordered list of recorded exchanges.
public struct Cassette: Sendable {
  /// The file's name without `.json`.
  public var name: String
  /// The path of the file it was read from, if it was.
  public var file: String?
  /// The address of the format's JSON Schema, if the file names one.
  public var schema: String?
  /// A text for people, which nothing interprets.
  public var note: String?
  /// The scheme and authority that relative URLs belong to: `https://api.github.com`.
  public var origin: String?
  /// True if the file says `"recording": "never"`: it is written by hand, and tests only play it in every mode.
  public var isProtected = false
  /// The level at which requests are compared with its recordings, if the file says it.
  public var matching: MatchLevel?
  /// The rules that narrow or widen the requests of all recordings that do not say otherwise.
  package var match = MatchRules()
  /// Collections that are really created in, changed and deleted from.
  package var resources: [any CompiledResource] = []
  /// The exchanges, in the order they were recorded.
  public var interactions: [Interaction]
  /// The problems found by reading that do not keep the cassette from being played.
  public var warnings: [CassetteError] = []

  /// Creates a cassette of exchanges.
  public init(name: String, origin: String? = nil, interactions: [Interaction] = []) {
    self.name = name
    self.origin = origin
    self.interactions = interactions
  }
}
