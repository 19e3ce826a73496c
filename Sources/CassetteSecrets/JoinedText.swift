internal import CassetteJSON
internal import CassetteShapes
internal import CassetteSystem

/// Texts that come in pieces: what the events of a stream say one after the other, or the lines of JSON.
///
/// A language model sends a token as `"ghp_A"` and `"bC…"`, each in an event of its own. Strings at the same path of
/// each event are read as one text, and so are lines of `data:` without JSON in them.
enum JoinedText {
  /// Each text that stands in a body in pieces, as a way to read it.
  ///
  /// - Parameters:
  ///   - bytes: The body.
  ///   - hasPieces: Whether a name in it says that there are pieces, unless it is a stream.
  ///   - use: Takes each text.
  static func each(of bytes: [UInt8], hasPieces: Bool, _ use: (DecodedView) -> Void) {
    guard bytes.count < Int(Int32.max) else { return }
    var events = events(in: bytes)
    // One document of JSON may be a list of what came piece by piece.
    let isList = events.count < 2 && (bytes.first == UInt8(ascii: "[") || bytes.first == UInt8(ascii: "{"))
    if isList { events = hasPieces ? [bytes.indices] : [] }
    guard events.count > (isList ? 0 : 1) else { return }
    var paths: [String: Int] = [:]
    var pieces: [[Range<Int>]] = []
    func add(_ range: Range<Int>, _ path: String) {
      if let index = paths[path] {
        pieces[index].append(range)
      } else {
        paths[path] = pieces.count
        pieces.append([range])
      }
    }
    for event in events {
      guard bytes[event.lowerBound] == UInt8(ascii: "{") || bytes[event.lowerBound] == UInt8(ascii: "[") else {
        add(event, "")
        continue
      }
      RedactionJSON.eachScalar(in: Array(bytes[event])) { path, range in
        let start = event.lowerBound + range.lowerBound
        guard bytes[start] == UInt8(ascii: "\""), range.count > 2 else { return }
        guard !isList || path.contains(where: isPiece) else { return }
        let place = isList ? path.map { if case .element = $0 { .element(0) } else { $0 } } : path
        add(start + 1..<start + range.count - 1, JSONPath(place).description)
      }
    }
    for ranges in pieces where ranges.count > 1 {
      let view = DecodedView(bytes, edits(keeping: ranges, of: bytes), isJoined: true)
      use(view)
      // A text of JSON in what a stream says has escapes of its own.
      for edits in view.undone { use(DecodedView(bytes, edits, isJoined: true)) }
    }
  }

  /// The content of each `data:` field (WHATWG HTML §9.2.6), or each line that is a JSON object.
  static func events(in bytes: [UInt8]) -> [Range<Int>] {
    let isStream = bytes.starts(with: data) || bytes.firstIndex(of: [0x0a] + data) != nil
    guard isStream || bytes.first == UInt8(ascii: "{") || bytes.firstIndex(of: Array("\n{".utf8)) != nil else {
      return []
    }
    var events: [Range<Int>] = []
    bytes.searching { text in
      var at = 0
      while at < text.count {
        let end = text.first(0x0a, from: at) ?? text.count
        var line = at..<(end > at && text[end - 1] == 0x0d ? end - 1 : end)
        at = end + 1
        if isStream {
          guard line.count > 5, data.searching({ text.has($0, at: line.lowerBound) }) else { continue }
          line = line.dropFirst(text[line.lowerBound + 5] == 0x20 ? 6 : 5)
        }
        guard !line.isEmpty, isStream || text[line.lowerBound] == UInt8(ascii: "{") else { continue }
        events.append(line)
      }
    }
    return events
  }

  private static func isPiece(_ step: JSONPath.Step) -> Bool {
    guard case .member(let name) = step else { return false }
    guard let first = name.utf8.first, initials.contains(first) else { return false }
    return names.contains { name.hasPrefix($0) }
  }

  private static let names = SecretMarks.pieces.map { String($0.dropFirst()) }
  private static let initials = ByteSet(adding: names.map { String($0.prefix(1)) }.joined())
  private static let data = Array("data:".utf8)

  /// Leaves out all but some pieces, and undoes what is escaped in them.
  private static func edits(keeping pieces: [Range<Int>], of bytes: [UInt8]) -> [DecodedView.Edit] {
    var edits: [DecodedView.Edit] = []
    var (done, count) = (0, 0)
    func leaveOut(upTo end: Int) {
      if end > done { edits.append(edit(0, at: count, 0, done..<end)) }
      done = end
    }
    bytes.searching { text in
      for piece in pieces {
        leaveOut(upTo: piece.lowerBound)
        while let escape = text.first(UInt8(ascii: "\\"), in: done..<piece.upperBound),
          let step = DecodedView.backslash(text, escape, bytes), escape + step.length <= piece.upperBound
        {
          count += escape - done
          edits.append(edit(step.bytes, at: count, step.count, escape..<escape + step.length))
          count += step.count
          done = escape + step.length
        }
        count += piece.upperBound - done
        done = piece.upperBound
      }
      leaveOut(upTo: text.count)
    }
    return edits
  }

  private static func edit(_ bytes: UInt64, at start: Int, _ count: Int, _ range: Range<Int>) -> DecodedView.Edit {
    DecodedView.Edit(
      bytes: bytes, start: Int32(start), count: Int32(count), lower: Int32(range.lowerBound),
      upper: Int32(range.upperBound))
  }
}
