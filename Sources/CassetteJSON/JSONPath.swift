/// The path from the root of a JSON document to one value in it: `$.a[0]["b c"]`.
///
/// A ``JSONQuery`` selects values; a path is the location of one value.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// A step from a value to a child.
  public enum Step: Hashable, Sendable {
    /// The step to a member of an object.
    case member(String)
    /// The step to an element of an array, by its index.
    case element(Int)
  }

  /// The steps, from the root.
  public var steps: [Step]

  /// Creates a path from steps.
  public init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// The path as text.
  ///
  /// Names that are not plain words are quoted in brackets.
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
