internal import CassetteJSON

/// A difference between the shape of an answer and the recorded one.
package struct ShapeDifference: Hashable, Sendable, CustomStringConvertible {
  /// The kind of a difference; the names are those of `verify --json`.
  package enum Kind: String, Sendable {
    /// The status is another.
    case status
    /// A value is of another type.
    case type
    /// A field is no longer there, or not always.
    case gone
    /// A field was not there before.
    case new
    /// The body is of another media type.
    case mediaType = "media-type"
    /// The body is there no longer, or not JSON any more.
    case body
  }

  /// The kind of the difference.
  package var kind: Kind
  /// True if it breaks clients that rely on the recording; if not, it is only reported.
  package var isError: Bool
  /// The place: `$.items[*].id`, `header:Link`, `status`.
  package var path: String
  /// A description of the difference: `was a string, is gone`.
  package var words: String

  /// Place and words.
  package var description: String { "\(path): \(words)" }

  package static func error(_ kind: Kind, _ path: String, _ words: String) -> ShapeDifference {
    ShapeDifference(kind: kind, isError: true, path: path, words: words)
  }

  package static func information(_ kind: Kind, _ path: String, _ words: String) -> ShapeDifference {
    ShapeDifference(kind: kind, isError: false, path: path, words: words)
  }
}

/// Places whose differences do not count.
package struct IgnoredPlaces: Hashable, Sendable {
  private var paths: [String] = []
  private var fields: Set<String> = []

  package init() {}

  /// Adds a place with all below it, `$.items[*].id` (`[]` means `[*]`) or `header:Link`; false when it is neither.
  package mutating func insert(_ place: String) -> Bool {
    if place.hasPrefix("header:"), place.count > "header:".count {
      fields.insert(place.dropFirst("header:".count).lowercased())
      return true
    }
    guard let steps = try? JSONQuery(place.replacing("[]", with: "[*]")).plainSteps else { return false }
    paths.append("$" + steps.map { $0.map { JSONPath([$0]).description.dropFirst() } ?? "[*]" }.joined())
    return true
  }

  package func covers(path: String) -> Bool {
    paths.contains { pattern in
      guard path.hasPrefix(pattern) else { return false }
      guard let next = path.dropFirst(pattern.count).first else { return true }
      return next == "." || next == "["
    }
  }

  package func covers(field name: String) -> Bool { fields.contains(name.lowercased()) }
}
