internal import CassetteJSON
internal import CassetteSystem

/// Strings split into pieces: across the events of a stream, or across lines of JSON.
///
/// A language model sends a token as `"ghp_A"` and `"bC…"`, each in a separate event. Strings at the same path of each
/// event are read as one string, and so are `data:` lines without JSON (WHATWG HTML §9.2.6).
package enum JoinedText {
  /// The prefixes of member names whose values are pieces or contain pieces.
  private static let pieces = ["delta", "chunk", "piece", "fragment", "partial", "candidates"]
  private static let pieceNames = pieces.map { Array($0.utf8) }
  private static let pieceBegins = ByteSet(adding: "dcpf")
  private static let lineOfData = Array("\ndata:".utf8)
  private static let beforeObject = ByteSet(adding: "[, \t")

  /// True if a body starts like a stream, in which a secret may be split into many pieces.
  package static func isStream(_ start: ArraySlice<UInt8>) -> Bool {
    // Images contain line ends as well.
    !start.contains(0) && Array(start).searching { events(in: $0, isStream: hasFields($0)).count } > 2
  }

  /// True if a member's name is that of a piece.
  static func isPiece(_ text: ByteSearch, _ name: Range<Int>) -> Bool {
    pieceBegins.contains(text.at(name.lowerBound)) && pieceNames.contains { text.has($0, at: name.lowerBound) }
  }

  /// Calls a closure with a joined view of each string that is split into pieces in a body.
  static func each(of bytes: [UInt8], hasPieces: Bool, _ use: (DecodedView) -> Void) {
    for ranges in bytes.searching({ texts(in: $0, bytes, hasPieces: hasPieces) }) where ranges.count > 1 {
      use(view(of: ranges, in: bytes))
    }
  }

  private static func hasFields(_ text: ByteSearch) -> Bool {
    text.has("data:", at: 0) || lineOfData.searching { text.first($0, from: 0) } != nil
  }

  /// Returns the content of each `data:` field, or each line that is a JSON object.
  private static func events(in text: ByteSearch, isStream: Bool) -> [Range<Int>] {
    var events: [Range<Int>] = []
    var at = 0
    while at < text.count {
      var line: Range<Int>
      (line, at) = text.line(from: at)
      if isStream {
        guard line.count > 5, text.has("data:", at: line.lowerBound) else { continue }
        line = line.dropFirst(text[line.lowerBound + 5] == 0x20 ? 6 : 5)
        // The other `data:` lines of an event continue its text.
        if let first = line.first, !SecretReader.opens.contains(text[first]), text.has("data:", at: at) {
          line = line.lowerBound..<at
        }
      } else {
        // A JSON array with one element per line: `[{…},`, `,{…}`.
        line = text.end(of: beforeObject, from: line.lowerBound, atMost: line.count)..<line.upperBound
        guard let first = line.first, text[first] == UInt8(ascii: "{") else { continue }
      }
      if !line.isEmpty { events.append(line) }
    }
    return events
  }

  /// Finds the pieces of each string, by path, and also by path and choice if there are several choices.
  private static func texts(in text: ByteSearch, _ bytes: [UInt8], hasPieces: Bool) -> [[Range<Int>]] {
    let isStream = hasFields(text)
    guard isStream || SecretReader.opens.contains(text.at(0)) else { return [] }
    var events = events(in: text, isStream: isStream)
    // A single JSON document may be an array of recorded pieces.
    let isList = events.count < 2
    if isList { events = hasPieces && SecretReader.opens.contains(text.at(0)) ? [0..<text.count] : [] }
    var (all, choices) = (Pieces(), Pieces())
    var numbers: Set<[JSONPath.Step]> = []
    for event in events {
      var strings: [(path: [JSONPath.Step], range: Range<Int>)] = []
      // The numbers that identify the event's choice, with their paths.
      var choice: [JSONPath.Step] = []
      let isJSON =
        SecretReader.opens.contains(text[event.lowerBound])
        && JSONScalars.each(in: Array(bytes[event])) { path, scalar in
          let range = event.lowerBound + scalar.lowerBound..<event.lowerBound + scalar.upperBound
          if text[range.lowerBound] == UInt8(ascii: "\"") {
            guard range.count > 2, !isList || path.contains(where: isPiece) else { return }
            // The elements of a list of pieces have equal paths.
            strings.append((isList ? path.filter(isMember) : path, range.dropFirst().dropLast()))
          } else if path.lastName?.hasSuffix("ndex") == true,
            let number = Int(String(decoding: bytes[range], as: UTF8.self))
          {
            choice += path + [.element(number)]
          }
        }
      // The start of JSON that is itself split, or text that is not JSON.
      if isStream, !isJSON { all.add(event, at: []) }
      if isJSON { numbers.insert(choice) }
      for (path, range) in strings {
        all.add(range, at: path)
        choices.add(range, at: path + choice)
      }
    }
    // The events of parallel choices alternate at the same path.
    return numbers.count > 1 ? all.texts + choices.texts : all.texts
  }

  private static func isMember(_ step: JSONPath.Step) -> Bool { if case .member = step { true } else { false } }

  private static func isPiece(_ step: JSONPath.Step) -> Bool {
    if case .member(let name) = step { pieces.contains(where: name.hasPrefix) } else { false }
  }

  /// The pieces of split strings by their path.
  private struct Pieces {
    private var places: [[JSONPath.Step]: Int] = [:]
    var texts: [[Range<Int>]] = []

    mutating func add(_ range: Range<Int>, at path: [JSONPath.Step]) {
      if let place = places[path] { return texts[place].append(range) }
      places[path] = texts.count
      texts.append([range])
    }
  }

  /// Returns a view of the given pieces, with their escapes decoded.
  private static func view(of pieces: [Range<Int>], in bytes: [UInt8]) -> DecodedView {
    var (output, edits): ([UInt8], [DecodedView.Edit]) = ([], [])
    var done = 0
    for piece in pieces + [bytes.count..<bytes.count] {
      if piece.lowerBound > done {
        edits.append(DecodedView.Edit(start: output.count, count: 0, original: done..<piece.lowerBound))
      }
      output += bytes[piece]
      done = piece.upperBound
    }
    let view = DecodedView(joined: output, leavingOut: edits)
    return view.undoing([UInt8(ascii: "\\")]) ?? view
  }
}
