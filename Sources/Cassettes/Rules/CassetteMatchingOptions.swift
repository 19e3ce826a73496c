internal import CassetteJSON
internal import CassetteSystem

/// The rules for comparing requests with recordings: `.anyHost`, `.body(ignoring: "$.createdAt")`.
///
/// The options apply to all recordings of a cassette, like the members `matching` and `match` at the top of its file.
/// The `match` of a single recording takes precedence.
public struct CassetteMatchingOptions: Hashable, Sendable {
  /// The level; nil if none is specified.
  package var level: MatchLevel?
  /// The default rules of all recordings.
  package var rules = MatchRules()
  /// The errors in paths, to be reported to the programmer.
  package private(set) var problems: [String] = []

  package init(level: MatchLevel? = nil, rules: MatchRules = MatchRules()) {
    self.level = level
    self.rules = rules
  }

  /// Compares everything that was recorded, and plays each recording once.
  static let exact = CassetteMatchingOptions(level: .exact)
  /// Compares body and origin as well as method, path and query; only values that change with each request may differ.
  package static let careful = CassetteMatchingOptions(level: .careful)
  /// Compares method, path and query; answers are marked if other parts differ.
  public static let loose = CassetteMatchingOptions(level: .loose)

  /// Ignores parts of request bodies.
  ///
  /// - Parameter places: Paths such as `$.createdAt` or `$.items[*].id`; `$.name` also selects a field of a form or a
  ///   part of a multipart body.
  /// - Returns: The options to pass to `matching:`.
  public static func body(ignoring places: String...) -> CassetteMatchingOptions {
    var matching = CassetteMatchingOptions()
    for place in places {
      do throws(JSONQuery.Problem) {
        matching.rules.tolerance.ignored.append(try JSONQuery(place))
      } catch {
        matching.problems.append("\"\(place)\" is not a path such as \"$.items[*].id\": \(error.words)")
      }
    }
    return matching
  }

  /// Ignores query parameters, whether they are present or not.
  ///
  /// - Parameter names: The names of the parameters; `*` for all parameters that the recording does not have.
  /// - Returns: The options to pass to `matching:`.
  public static func query(ignoring names: String...) -> CassetteMatchingOptions {
    saying { $0.query = NamedConditions(names.map { .init($0, .ignore) }) }
  }

  /// Requires header fields to equal the recorded ones.
  ///
  /// By default, equal header fields are only preferred.
  ///
  /// - Parameter names: The names of the fields; a field that was not recorded must not be sent.
  /// - Returns: The options to pass to `matching:`.
  public static func headers(_ names: String...) -> CassetteMatchingOptions {
    saying { $0.headers = NamedConditions(names.map { .init($0, .recorded) }) }
  }

  /// Lets recordings answer requests to any host, not only to the recorded host.
  public static let anyHost = saying { $0.ignoresOrigin = true }

  private static func saying(_ change: (inout MatchRules) -> Void) -> CassetteMatchingOptions {
    var matching = CassetteMatchingOptions()
    change(&matching.rules)
    return matching
  }

  /// Returns the combination of two options; this level and these rules take precedence.
  func adding(_ other: CassetteMatchingOptions) -> CassetteMatchingOptions {
    var both = CassetteMatchingOptions(level: level ?? other.level, rules: rules.over(other.rules))
    both.problems = problems + other.problems
    return both
  }

  /// Creates the combination of several options; earlier ones take precedence.
  package init(_ parts: [CassetteMatchingOptions]) { self = parts.reduce(CassetteMatchingOptions()) { $0.adding($1) } }
}
