/// The way from a JSON text's root to one value in it: `$.a[0]["b c"]`.
///
/// A ``JSONQuery`` finds values; this is where one of them is.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// A step down.
  public enum Step: Hashable, Sendable {
    /// A step to an object's member.
    case member(String)
    /// A step to an array's element, counted from zero.
    case element(Int)
  }

  /// The steps, from the root.
  public var steps: [Step]

  /// Creates a path of steps from the root.
  public init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// The path as text, with names in brackets and quotes where they are not plain words.
  public var description: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .element(let index): text += "[\(index)]"
      case .member(let name) where JSONQuery.isPlain(name): text += ".\(name)"
      case .member(let name): text += "[\(String(decoding: JSONString.encode(name), as: UTF8.self))]"
      }
    }
  }
}
