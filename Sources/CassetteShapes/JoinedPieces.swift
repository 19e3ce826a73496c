internal import CassetteJSON
internal import CassetteSystem

/// The places of the pieces of texts that a body says one after the other: in events of a stream, or in lines of JSON.
package struct JoinedPieces {
  /// Tells whether a body begins as a stream does, of which each secret may come in many pieces.
  package static func isStream(_ start: ArraySlice<UInt8>) -> Bool {
    // A picture has line ends, too.
    !start.contains(0) && events(in: Array(start)).count > 2
  }

  private var places: [[JSONPath.Step]: Int] = [:]
  private var texts: [[Range<Int>]] = []
  /// The first index that an event has, of a choice or a part of the answer.
  private var index: ArraySlice<UInt8>?
  /// True if the events are those of a stream.
  private var isOfStream = false
  /// True if there are events of several.
  private var isIndexed = false

  /// Finds the texts that stand in a body in pieces: strings at the same path of each event, and those of one choice.
  ///
  /// Unless it is a stream, a name in it has to say that there are pieces.
  package static func texts(in bytes: [UInt8], hasPieces: Bool) -> [[Range<Int>]] {
    var events = events(in: bytes)
    // One document of JSON may be a list of what came piece by piece.
    let isList = events.count < 2 && (bytes.first == UInt8(ascii: "[") || bytes.first == UInt8(ascii: "{"))
    if isList { events = hasPieces ? [bytes.indices] : [] }
    guard events.count > (isList ? 0 : 1) else { return [] }
    var pieces = JoinedPieces()
    pieces.isOfStream = hasFields(bytes)
    for event in events { pieces.add(event, of: bytes, isList: isList) }
    guard pieces.isIndexed else { return pieces.texts }
    // Answers that come side by side have the same path in turns.
    var choices = JoinedPieces()
    for event in events { choices.add(event, of: bytes, isList: isList, byIndex: true) }
    return pieces.texts + choices.texts.filter { $0.count > 1 && !pieces.texts.contains($0) }
  }

  private mutating func add(_ range: Range<Int>, at path: [JSONPath.Step]) {
    if let place = places[path] {
      texts[place].append(range)
    } else {
      places[path] = texts.count
      texts.append([range])
    }
  }

  private mutating func add(_ event: Range<Int>, of bytes: [UInt8], isList: Bool, byIndex: Bool = false) {
    guard bytes[event.lowerBound] == UInt8(ascii: "{") || bytes[event.lowerBound] == UInt8(ascii: "[")
    else { return add(event, at: []) }
    var numbers: [[JSONPath.Step]: ArraySlice<UInt8>] = [:]
    if byIndex {
      Self.eachScalar(of: event, in: bytes) { path, range in
        if Self.isIndex(path, bytes[range]) { numbers[Array(path.dropLast())] = bytes[range] }
      }
    }
    let isJSON = Self.eachScalar(of: event, in: bytes) { path, range in
      guard bytes[range.lowerBound] == UInt8(ascii: "\""), range.count > 2 else {
        if Self.isIndex(path, bytes[range]) {
          isIndexed = isIndexed || index.map { $0 != bytes[range] } ?? false
          index = bytes[range]
        }
        return
      }
      guard !isList || path.contains(where: Self.isPiece) else { return }
      var place: [JSONPath.Step] = []
      for (depth, step) in path.enumerated() {
        if let number = numbers.isEmpty ? nil : numbers[Array(path[..<depth])] {
          place.append(.member("index \(String(decoding: number, as: UTF8.self))"))
        }
        if isList, case .element = step { place.append(.element(0)) } else { place.append(step) }
      }
      add(range.lowerBound + 1..<range.upperBound - 1, at: place)
    }
    // The beginning of a text of JSON that is cut itself.
    if !isJSON, isOfStream { add(event, at: []) }
  }

  @discardableResult
  private static func eachScalar(
    of event: Range<Int>, in bytes: [UInt8], _ use: (_ path: [JSONPath.Step], _ range: Range<Int>) -> Void
  ) -> Bool {
    JSONScalars.each(in: Array(bytes[event])) { path, range in
      use(path, event.lowerBound + range.lowerBound..<event.lowerBound + range.upperBound)
    }
  }

  /// Tells whether a number says which of several texts a piece is of: `index`, `output_index`.
  private static func isIndex(_ path: [JSONPath.Step], _ value: ArraySlice<UInt8>) -> Bool {
    guard case .member(let name)? = path.last, let first = value.first, first &- 0x30 < 10 else { return false }
    return name.hasSuffix("index") || name.hasSuffix("Index")
  }

  /// Finds the content of each `data:` field (WHATWG HTML §9.2.6), or each line that is a JSON object.
  package static func events(in bytes: [UInt8]) -> [Range<Int>] {
    let isStream = hasFields(bytes)
    guard
      isStream || bytes.starts(with: part) || bytes.first == UInt8(ascii: "{") || bytes.starts(with: "[{".utf8)
        || bytes.firstIndex(of: Array("\n{".utf8)) != nil
    else { return [] }
    var events: [Range<Int>] = []
    bytes.searching { text in
      var at = 0
      var isOfSeveral = false
      while at < text.count {
        var line: Range<Int>
        (line, at) = text.line(from: at)
        if isStream {
          guard line.count > 5, text.has(data, at: line.lowerBound) else { continue }
          line = line.dropFirst(text[line.lowerBound + 5] == 0x20 ? 6 : 5)
        }
        // The lines of one event are lines of its text, too.
        if isStream, line.first.map({ text[$0] != UInt8(ascii: "{") && text[$0] != UInt8(ascii: "[") }) ?? false,
          isOfSeveral || text.has(data, at: at)
        {
          isOfSeveral = text.has(data, at: at)
          line = line.lowerBound..<min(at, text.count)
        }
        // A list of JSON that comes line by line: `[{…},`, `,{…}`; the parts of an assistant's text: `0:"…"`.
        if !isStream, let first = line.first, text[first] == UInt8(ascii: "[") || text[first] == UInt8(ascii: ",") {
          line = text.skippingSpace(first + 1)..<max(text.skippingSpace(first + 1), line.upperBound)
        } else if !isStream, line.count > part.count, text.has(part, at: line.lowerBound), let last = line.last,
          text[last] == UInt8(ascii: "\"")
        {
          events.append(line.lowerBound + part.count..<last)
          continue
        }
        if !isStream {
          line = line.lowerBound..<text.beginning(of: behindObject, before: line.upperBound, after: line.lowerBound)
        }
        guard !line.isEmpty, isStream || text.at(line.lowerBound) == UInt8(ascii: "{") else { continue }
        events.append(line)
      }
    }
    return events
  }

  private static func hasFields(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: data) || bytes.firstIndex(of: [0x0a] + data) != nil
  }

  private static func isPiece(_ step: JSONPath.Step) -> Bool {
    guard case .member(let name) = step, let first = name.utf8.first, initials.contains(first) else { return false }
    return names.contains { name.hasPrefix($0) }
  }

  private static let names = SecretMarks.pieces.map { String($0.dropFirst()) }
  private static let initials = ByteSet(adding: names.map { String($0.prefix(1)) }.joined())
  private static let behindObject = ByteSet(adding: " \t\r,]")
  private static let part = Array("0:\"".utf8)
  private static let data = Array("data:".utf8)
}
