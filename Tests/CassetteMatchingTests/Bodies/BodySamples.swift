import CassetteJSON

@testable import CassetteMatching

/// Returns a body with the UTF-8 bytes of a string.
func body(_ text: String, _ type: String? = nil, _ tolerance: JSONTolerance = JSONTolerance()) -> NormalBody {
  NormalBody(Array(text.utf8), contentType: type, tolerance: tolerance)
}

/// The relation of two bodies, derived from their fingerprints or from their differences; both derivations agree.
struct Relation: Equatable, CustomStringConvertible {
  var isEqual: Bool
  var isAlike: Bool

  init(_ sent: NormalBody, _ recorded: NormalBody) {
    isEqual = sent.digest == recorded.digest
    isAlike = sent.skeleton == recorded.skeleton
  }

  /// Creates the relation that the differences of two bodies give.
  init(of differences: [BodyDifference]) {
    isEqual = differences.isEmpty
    isAlike = differences.allSatisfy(\.isGenerated)
  }

  static let equal = Relation(isEqual: true, isAlike: true)
  static let alike = Relation(isEqual: false, isAlike: true)
  static let different = Relation(isEqual: false, isAlike: false)

  private init(isEqual: Bool, isAlike: Bool) {
    self.isEqual = isEqual
    self.isAlike = isAlike
  }

  var description: String { isEqual ? "equal" : isAlike ? "alike" : "different" }
}

let form = "application/x-www-form-urlencoded"
let graphQL = "application/graphql"

func multipart(_ boundary: String) -> String { "multipart/form-data; boundary=\(boundary)" }
