internal import CassetteSystem

/// A JSONPath query (RFC 9535), which selects values in a document: `$.items[*].id`, `$..name`, `$[?@.price < 10]`.
///
/// It is parsed once. Each evaluation uses steps of a budget, so that no query can block a server.
package struct JSONQuery: Hashable, Sendable, CustomStringConvertible {
  /// A syntax error in a query, with its location.
  package struct Problem: Error, Hashable, Sendable {
    let message: String
    /// The column of the error in characters, counted from 1.
    let column: Int

    /// The message with the column: `expected a name at character 3`.
    package var words: String { "\(message) at character \(column)" }
  }

  /// The source of the query.
  package let description: String
  let segments: [JSONQuerySegment]

  /// Parses a query that begins with `$`; throws the first syntax error.
  package init(_ text: String) throws(Problem) {
    var parser = JSONQueryParser(text)
    segments = try parser.parse()
    description = text
  }

  /// The steps if each selects one name, one index, or all children (nil); nil for other queries.
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

  /// True if the query selects at most one value.
  package var isSingular: Bool { segments.allSatisfy(\.isSingular) }

  /// Returns true if a name may be written after a dot (RFC 9535 §2.5.1.1).
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

/// A segment of a query, which selects children, or descendants as well.
struct JSONQuerySegment: Sendable {
  var isDescendant = false
  var selectors: [JSONQuerySelector]

  /// True if the segment selects at most one value.
  var isSingular: Bool {
    guard !isDescendant, selectors.count == 1 else { return false }
    return switch selectors[0] {
    case .name, .index: true
    case .wildcard, .slice, .filter: false
    }
  }
}

/// A selector for the children of a value.
enum JSONQuerySelector: Sendable {
  case name([UInt8])
  case wildcard
  case index(Int)
  case slice(start: Int?, end: Int?, step: Int)
  case filter(JSONQueryCondition)
}

/// The condition of a filter.
indirect enum JSONQueryCondition: Sendable {
  case or([JSONQueryCondition])
  case and([JSONQueryCondition])
  case not(JSONQueryCondition)
  case comparison(JSONQueryOperand, JSONQueryComparison, JSONQueryOperand)
  case exists(JSONQueryPart)
  /// The function `match` for a whole string, or `search` for a part of it.
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

/// An operand of a comparison or an argument of a function: at most one value.
indirect enum JSONQueryOperand: Sendable {
  case literal(JSONQueryValue)
  /// A query that selects at most one value.
  case part(JSONQueryPart)
  case length(JSONQueryOperand)
  case count(JSONQueryPart)
  /// The function `value`: the selected value if there is exactly one.
  case only(JSONQueryPart)
}

/// A query in a filter, which starts at the current value or at the root.
struct JSONQueryPart: Sendable {
  var isRelative: Bool
  var segments: [JSONQuerySegment]

  var isSingular: Bool { segments.allSatisfy(\.isSingular) }
}
