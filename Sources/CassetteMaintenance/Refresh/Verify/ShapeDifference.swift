internal import CassetteJSON

/// A difference between the shape of a response and the recorded one.
package struct ShapeDifference: Hashable, Sendable, CustomStringConvertible {
  /// The kind of difference; the raw values are used by `verify --json`.
  package enum Kind: String, Sendable {
    /// The status differs.
    case status
    /// A value has another type.
    case type
    /// A member or header field is missing, or sometimes missing.
    case gone
    /// A member or header field was added.
    case new
    /// The media type of the body differs.
    case mediaType = "media-type"
    /// The body is missing, or no longer JSON.
    case body
  }

  /// The kind of the difference.
  package var kind: Kind
  /// True if the difference breaks clients that rely on the recording; false for information.
  package var isError: Bool
  /// The place: `$.items[*].id`, `header:Link`, `status`.
  package var path: String
  /// A description of the difference: `was a string, is gone`.
  package var words: String

  /// The place and the description.
  package var description: String { "\(path): \(words)" }

  package static func error(_ kind: Kind, _ path: String, _ words: String) -> ShapeDifference {
    ShapeDifference(kind: kind, isError: true, path: path, words: words)
  }

  package static func information(_ kind: Kind, _ path: String, _ words: String) -> ShapeDifference {
    ShapeDifference(kind: kind, isError: false, path: path, words: words)
  }
}

/// Places whose differences are ignored.
package struct IgnoredPlaces: Hashable, Sendable {
  private var paths: [String] = []
  private var fields: Set<String> = []

  package init() {}

  /// Adds a place and everything below it.
  ///
  /// - Parameter place: A path such as `$.items[*].id`, in which `[]` means `[*]`, or a header field such as
  ///   `header:Link`.
  /// - Returns: False if the place is invalid.
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
