internal import CassetteSystem

/// A JSON path as RFC 9535 has it, which finds values in a text: `$.items[*].id`, `$..name`, `$[?@.price < 10]`.
///
/// It is read once. Looking for values takes steps of a budget, so that no path, however written, keeps a server busy.
package struct JSONQuery: Hashable, Sendable, CustomStringConvertible {
  /// An error in a path, with its place.
  package struct Problem: Error, Hashable, Sendable {
    package let message: String
    /// The character it begins at, counted from one.
    package let column: Int

    /// The message and its place: `expected a name at character 3`.
    package var words: String { "\(message) at character \(column)" }
  }

  /// The path as it was written.
  package let description: String
  let segments: [JSONQuerySegment]

  /// Reads a path, from `$` on; throws what is not RFC 9535's, and where.
  package init(_ text: String) throws(Problem) {
    var parser = JSONQueryParser(text)
    segments = try parser.parse()
    description = text
  }

  /// The steps where each of them goes to one name, to one index, or to everything (nil); nil for other paths.
  package var plainSteps: [JSONPath.Step?]? {
    var steps: [JSONPath.Step?] = []
    for segment in segments {
      guard !segment.isDescendant, segment.selectors.count == 1 else { return nil }
      switch segment.selectors[0] {
      case .name(let name): steps.append(.member(String(decoding: name, as: UTF8.self)))
      case .index(let index) where index >= 0: steps.append(.element(index))
      case .wildcard: steps.append(nil)
      case .index, .slice, .filter: return nil
      }
    }
    return steps
  }

  /// True if the path leads to one value at most.
  package var isSingular: Bool { segments.allSatisfy(\.isSingular) }

  /// Tells whether a name may stand behind a dot: RFC 9535 §2.5.1.1.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !first.isDigit else { return false }
    return name.utf8.allSatisfy(isNameByte)
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte.isDigit || byte == UInt8(ascii: "_") || (0x61...0x7a).contains(byte | 0x20)
  }

  package static func == (one: JSONQuery, other: JSONQuery) -> Bool { one.description == other.description }
  package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// A segment of a path: to the children, or to the descendants as well.
struct JSONQuerySegment: Sendable {
  var isDescendant = false
  var selectors: [JSONQuerySelector]

  /// True if the segment leads to one value at most.
  var isSingular: Bool {
    guard !isDescendant, selectors.count == 1 else { return false }
    return switch selectors[0] {
    case .name, .index: true
    case .wildcard, .slice, .filter: false
    }
  }
}

/// A selector of a value's children.
enum JSONQuerySelector: Sendable {
  case name([UInt8])
  case wildcard
  case index(Int)
  case slice(start: Int?, end: Int?, step: Int)
  case filter(JSONQueryCondition)
}

/// A filter's condition.
indirect enum JSONQueryCondition: Sendable {
  case or([JSONQueryCondition])
  case and([JSONQueryCondition])
  case not(JSONQueryCondition)
  case comparison(JSONQueryOperand, JSONQueryComparison, JSONQueryOperand)
  case exists(JSONQueryPart)
  /// `match` of a whole text, or `search` of a part of it.
  case matches(JSONQueryOperand, JSONQueryOperand, isPart: Bool)
}

enum JSONQueryComparison: String, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
}

/// An operand of a comparison or argument of a function: one value, or nothing.
indirect enum JSONQueryOperand: Sendable {
  case literal(JSONQueryValue)
  /// A path that leads to one value at most.
  case part(JSONQueryPart)
  case length(JSONQueryOperand)
  case count(JSONQueryPart)
  /// `value`: the value where there is exactly one.
  case only(JSONQueryPart)
}

/// A path in a filter: from the value that is looked at, or from the root.
struct JSONQueryPart: Sendable {
  var isRelative: Bool
  var segments: [JSONQuerySegment]

  var isSingular: Bool { segments.allSatisfy(\.isSingular) }
}
