internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

/// The recorded targets with redacted secrets: `/hook?access_token={{secret:1}}`.
///
/// The index finds only exact bytes, whereas these targets match any secret.
struct SecretTargets: Sendable {
  private struct Target {
    let entry: Int
    let path: String
    let query: String
  }

  /// The targets without a secret in the path, by method and path.
  private var byPath: [String: [Target]] = [:]
  /// The targets with a secret in the path, by method.
  private var byMethod: [String: [Target]] = [:]

  /// The paths of the targets.
  private(set) var paths: Set<String> = []

  /// Adds a target that contains a placeholder.
  mutating func append(entry: Int, method: String, target: String) {
    let (path, query) = Self.split(target)
    let found = Target(entry: entry, path: path, query: query)
    paths.insert(path)
    if SecretPlaceholders.isIn(path) {
      byMethod[method, default: []].append(found)
    } else {
      byPath["\(method) \(path)", default: []].append(found)
    }
  }

  /// Returns the entries that answer a target with any secret, in recorded order.
  func entries(method: String, target: String) -> [Int] {
    guard !byPath.isEmpty || !byMethod.isEmpty else { return [] }
    let (path, query) = Self.split(target)
    let known = byPath["\(method) \(path)"] ?? []
    let others = (byMethod[method] ?? []).filter { SecretPlaceholders.pathsEqual(path, $0.path) }
    return (known + others).filter { ParameterComparison.equal(query, $0.query) }.map(\.entry).sorted()
  }

  private static func split(_ target: String) -> (path: String, query: String) {
    let path = target.prefix { $0 != "?" }
    return (CanonicalTarget.spelling(of: String(path)), String(target.dropFirst(path.count + 1)))
  }
}
