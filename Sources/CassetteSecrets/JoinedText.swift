internal import CassetteSystem

/// Strings split into pieces: across the events of a stream, or across lines of JSON.
///
/// A language model sends a token as `"ghp_A"` and `"bC…"`, each in a separate event. Strings at the same path of each
/// event are read as one string, and so are `data:` lines without JSON (WHATWG HTML §9.2.6).
package enum JoinedText {
  /// The prefixes of member names whose values are pieces or contain pieces, with the opening quote.
  static let pieces = ["\"delta", "\"chunk", "\"piece", "\"fragment", "\"partial", "\"candidates"]

  /// True if a body starts like a stream, in which a secret may be split into many pieces.
  package static func isStream(_ start: ArraySlice<UInt8>) -> Bool {
    // Images contain line ends as well.
    guard !start.contains(0) else { return false }
    var count = 0
    Array(start).searching { text in eachEvent(in: text, isStream: hasFields(text)) { _ in count += 1 } }
    return count > 2
  }

  /// Calls a closure with a joined view of each string that is split into pieces in a body.
  static func each(of bytes: [UInt8], hasPieces: Bool, _ use: (DecodedView) -> Void) {
    guard bytes.count < Int(Int32.max) else { return }
    let all = bytes.searching { texts(in: $0, hasPieces: hasPieces) }
    for ranges in all where ranges.count > 1 { use(bytes.searching { view(of: ranges, in: $0) }) }
  }

  private static func hasFields(_ text: ByteSearch) -> Bool {
    text.has("data:", at: 0) || lineOfData.searching { text.first($0, from: 0) } != nil
  }

  /// Calls a closure with the content of each `data:` field, or of each line that is a JSON object.
  private static func eachEvent(in text: ByteSearch, isStream: Bool, _ use: (Range<Int>) -> Void) {
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
        while let first = line.first, beforeObject.contains(text[first]) { line = line.dropFirst() }
        guard let first = line.first, text[first] == UInt8(ascii: "{") else { continue }
      }
      if !line.isEmpty { use(line) }
    }
  }

  /// Finds the pieces of each string, by path, and also by path and choice if there are several choices.
  private static func texts(in text: ByteSearch, hasPieces: Bool) -> [[Range<Int>]] {
    let isStream = hasFields(text)
    guard isStream || SecretReader.opens.contains(text.at(0)) else { return [] }
    var events: [Range<Int>] = []
    eachEvent(in: text, isStream: isStream) { events.append($0) }
    // A single JSON document may be an array of recorded pieces.
    let isList = events.count < 2
    if isList { events = hasPieces && SecretReader.opens.contains(text.at(0)) ? [0..<text.count] : [] }
    var (all, choices) = (Pieces(), Pieces())
    var indices: Set<UInt64> = []
    for event in events {
      guard let strings = strings(of: event, in: text, isList: isList) else {
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

  /// Returns the strings of an event with hashes of their paths, and a hash of the numbers that identify its choice
  /// (`index`); nil if the event is not JSON.
  private static func strings(
    of event: Range<Int>, in text: ByteSearch, isList: Bool
  ) -> (all: [(path: UInt64, range: Range<Int>)], index: UInt64)? {
    guard SecretReader.opens.contains(text[event.lowerBound]) else { return nil }
    var all: [(path: UInt64, range: Range<Int>)] = []
    var index: UInt64 = 0
    // For each open container: its path, the element's index, and whether its name marks its strings as pieces.
    var frames: [(path: UInt64, isObject: Bool, element: UInt64, isPiece: Bool)] = []
    var (path, name, isPiece): (UInt64, Range<Int>?, Bool) = (1, nil, !isList)
    var at = event.lowerBound
    while at < event.upperBound {
      let byte = text[at]
      at += 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        frames.append((path, byte == UInt8(ascii: "{"), 0, isPiece))
        (path, name) = (step(step(path, 0x5b), 0), nil)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        frames.removeLast()
        if frames.isEmpty { return (all, index) }
        name = nil
      case UInt8(ascii: ","):
        let last = frames.count - 1
        (isPiece, name) = (frames[last].isPiece, nil)
        if !frames[last].isObject {
          if !isList { frames[last].element += 1 }
          path = step(step(frames[last].path, 0x5b), frames[last].element)
        }
      case UInt8(ascii: "\""):
        let string = at..<SecretReader.endOfString(text, from: at, byte, limit: event.upperBound)
        at = string.upperBound + 1
        if string.upperBound == event.upperBound { return nil }
        if let last = frames.last, last.isObject, name == nil {
          (name, path) = (string, string.reduce(step(last.path, 0x7b)) { step($0, UInt64(text[$1])) })
          if isList { isPiece = last.isPiece || pieceNames.contains { text.has($0, at: string.lowerBound - 1) } }
        } else if isPiece, !string.isEmpty {
          all.append((path, string))
        }
      case 0x30...0x39:
        if let name, name.count > 4, text.has("ndex", at: name.upperBound - 4) {
          index = step(index &+ path, UInt64(byte))
        }
      default: break
      }
      if frames.isEmpty { return nil }
    }
    return nil
  }

  private static func step(_ hash: UInt64, _ value: UInt64) -> UInt64 {
    let next = (hash ^ value) &* 0x9e37_79b9_7f4a_7c15
    return next ^ next &>> 29
  }

  /// Returns a view of the given pieces, with their escapes decoded.
  private static func view(of pieces: [Range<Int>], in text: ByteSearch) -> DecodedView {
    var (output, edits): ([UInt8], [DecodedView.Edit]) = ([], [])
    var done = 0
    func leaveOut(upTo end: Int) {
      if end > done { edits.append(DecodedView.Edit(start: output.count, count: 0, original: done..<end)) }
      done = end
    }
    for piece in pieces {
      leaveOut(upTo: piece.lowerBound)
      while let escape = text.first(UInt8(ascii: "\\"), in: done..<piece.upperBound) {
        let step = DecodedView.backslash(text, escape) ?? (2, 1, UInt64(text.at(escape + 1)))
        guard escape + step.length <= piece.upperBound else { break }
        text.append(done..<escape, to: &output)
        done = escape + step.length
        edits.append(DecodedView.Edit(start: output.count, count: step.count, original: escape..<done))
        for index in 0..<step.count { output.append(UInt8(truncatingIfNeeded: step.bytes &>> UInt64(8 * index))) }
      }
      text.append(done..<piece.upperBound, to: &output)
      done = piece.upperBound
    }
    leaveOut(upTo: text.count)
    return DecodedView(output, edits, isJoined: true)
  }

  private static let pieceNames = pieces.map { Array($0.utf8) }
  private static let lineOfData = Array("\ndata:".utf8)
  private static let beforeObject = ByteSet(adding: "[, \t")
}
