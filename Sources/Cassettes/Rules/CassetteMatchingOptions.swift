internal import CassetteJSON

/// The rules for comparing requests with recordings: `.exact`, `.body(ignoring: "$.createdAt")`.
///
/// It holds for all recordings of a cassette, as the members `matching` and `match` at the top of its file do. What the
/// `match` of a single recording says wins.
public struct CassetteMatchingOptions: Hashable, Sendable {
  /// The level, when one is said.
  package var level: MatchLevel?
  /// The rules for every recording that does not say otherwise.
  package var rules = MatchRules()
  /// The paths that cannot be read: a programmer's mistakes, to be reported.
  package private(set) var problems: [String] = []

  package init(level: MatchLevel? = nil, rules: MatchRules = MatchRules()) {
    self.level = level
    self.rules = rules
  }

  /// All that was recorded has to be sent again, and each recording plays once.
  public static let exact = CassetteMatchingOptions(level: .exact)
  /// The body and the origin decide; only values that are made anew at each call may differ.
  public static let careful = CassetteMatchingOptions(level: .careful)
  /// Method, path and query decide; other differences are marked.
  public static let loose = CassetteMatchingOptions(level: .loose)

  /// Leaves places of request bodies out of the comparison.
  ///
  /// - Parameter places: Paths such as `$.createdAt` or `$.items[*].id`; `$.name` is a form's field or a part, too.
  /// - Returns: What to say to `matching:`.
  public static func body(ignoring places: String...) -> CassetteMatchingOptions {
    var matching = CassetteMatchingOptions()
    for place in places {
      do throws(JSONQuery.Problem) {
        matching.rules.tolerance.ignored.append(try JSONQuery(place))
      } catch {
        matching.problems.append("\"\(place)\" is no path such as \"$.items[*].id\": \(error.words)")
      }
    }
    return matching
  }

  /// Leaves parameters out of the comparison, whatever their values are and whether they are there or not.
  ///
  /// - Parameter names: The parameters' names; `*` for all that the recording does not have.
  /// - Returns: What to say to `matching:`.
  public static func query(ignoring names: String...) -> CassetteMatchingOptions {
    saying { $0.query = NamedConditions(names.map { .init($0, .ignore) }) }
  }

  /// Demands header fields as they were recorded, which otherwise only prefer.
  ///
  /// - Parameter names: The fields' names; one that was not recorded must not be sent.
  /// - Returns: What to say to `matching:`.
  public static func headers(_ names: String...) -> CassetteMatchingOptions {
    saying { $0.headers = NamedConditions(names.map { .init($0, .recorded) }) }
  }

  /// Lets recordings answer for any host, not only for the one they were recorded from.
  public static let anyHost = saying { $0.ignoresOrigin = true }

  private static func saying(_ change: (inout MatchRules) -> Void) -> CassetteMatchingOptions {
    var matching = CassetteMatchingOptions()
    change(&matching.rules)
    return matching
  }

  /// Returns both matchings as one: of two levels the first counts.
  package func adding(_ other: CassetteMatchingOptions) -> CassetteMatchingOptions {
    var both = CassetteMatchingOptions(level: level ?? other.level, rules: rules.over(other.rules))
    both.problems = problems + other.problems
    return both
  }

  /// Joins several matchings, the first preferred where two exclude each other.
  package init(_ parts: [CassetteMatchingOptions]) { self = parts.reduce(CassetteMatchingOptions()) { $0.adding($1) } }
}
