internal import CassetteJSON
internal import CassetteSystem

/// Strings split into pieces: across the events of a stream, or across lines of JSON.
///
/// A language model sends a token as `"ghp_A"` and `"bC…"`, each in a separate event. Strings at the same path of each
/// event are read as one string, and so are `data:` lines without JSON (WHATWG HTML §9.2.6).
package enum JoinedText {
  /// The prefixes of member names whose values are pieces or contain pieces, with the opening quote.
  static let pieces = ["\"delta", "\"chunk", "\"piece", "\"fragment", "\"partial", "\"candidates"]
  private static let pieceNames = pieces.map { Array($0.utf8) }
  private static let lineOfData = Array("\ndata:".utf8)
  private static let beforeObject = ByteSet(adding: "[, \t")

  /// True if a body starts like a stream, in which a secret may be split into many pieces.
  package static func isStream(_ start: ArraySlice<UInt8>) -> Bool {
    // Images contain line ends as well.
    !start.contains(0) && Array(start).searching { events(in: $0, isStream: hasFields($0)).count } > 2
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
    var indices: Set<UInt64> = []
    for event in events {
      guard SecretReader.opens.contains(text[event.lowerBound]),
        let strings = try? Strings(of: event, in: bytes.span, text, isList: isList)
      else {
        // The start of JSON that is itself split, or text that is not JSON.
        if isStream { all.add(event, at: 0) }
        continue
      }
      indices.insert(strings.index)
      for (path, range) in strings.all {
        all.add(range, at: path)
        choices.add(range, at: path ^ strings.index)
      }
    }
    // The events of parallel choices alternate at the same path.
    return indices.count > 1 ? all.texts + choices.texts : all.texts
  }

  /// The pieces of split strings by the hash of their path.
  private struct Pieces {
    private var places: [UInt64: Int] = [:]
    var texts: [[Range<Int>]] = []

    mutating func add(_ range: Range<Int>, at path: UInt64) {
      if let place = places[path] { return texts[place].append(range) }
      places[path] = texts.count
      texts.append([range])
    }
  }

  /// The strings of an event with hashes of their paths.
  private struct Strings {
    var all: [(path: UInt64, range: Range<Int>)] = []
    /// A hash of the numbers that identify the event's choice.
    var index: UInt64 = 0

    /// Parses an event, or a list of pieces, whose elements have equal paths.
    init(of event: Range<Int>, in bytes: Span<UInt8>, _ text: ByteSearch, isList: Bool) throws(JSONTextError) {
      var at = event.lowerBound
      // Validation limits the nesting depth, so that the recursion below is safe.
      var end = at
      try JSONScanner.skipValue(in: bytes.extracting(first: event.upperBound), at: &end)
      try walk(bytes, text, &at, path: 1, name: 0..<0, isPiece: !isList, isList)
    }

    private mutating func walk(
      _ bytes: Span<UInt8>, _ text: ByteSearch, _ at: inout Int, path: UInt64, name: Range<Int>, isPiece: Bool,
      _ isList: Bool
    ) throws(JSONTextError) {
      JSONScanner.skipWhitespace(in: bytes, at: &at)
      let start = at
      guard var items = JSONItems(in: bytes, at: &at) else {
        try JSONScanner.skipValue(in: bytes, at: &at)
        if text[start] == UInt8(ascii: "\"") {
          if isPiece, at - start > 2 { all.append((path, start + 1..<at - 1)) }
        } else if name.count > 4, text.has("ndex", at: name.upperBound - 4), text[start].isDigit {
          for place in start..<at { index = Self.step(index &+ path, UInt64(text[place])) }
        }
        return
      }
      var element: UInt64 = 0
      while try items.next(in: bytes, at: &at) {
        let inner = items.name.reduce(Self.step(path, items.isObject ? 0x7b : element)) {
          Self.step($0, UInt64(text[$1]))
        }
        let isNamed = isList && pieceNames.contains { text.has($0, at: items.name.lowerBound - 1) }
        try walk(bytes, text, &at, path: inner, name: items.name, isPiece: isPiece || isNamed, isList)
        if !items.isObject, !isList { element += 1 }
      }
    }

    private static func step(_ hash: UInt64, _ value: UInt64) -> UInt64 {
      let next = (hash ^ value) &* 0x9e37_79b9_7f4a_7c15
      return next ^ next &>> 29
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
