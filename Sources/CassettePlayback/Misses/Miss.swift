internal import CassetteHTTP
public import CassetteMatching
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// A request that no recording answers, with the nearest recordings and their differences.
public struct Miss: Sendable {
  /// A recording that nearly answers the request.
  public struct Nearest: Sendable {
    /// The recording's `id`.
    public let id: String
    /// The file and line of the recording, such as `cassettes/github.json:41`.
    public let place: String
    /// The method and URL of the recorded request, with secrets masked.
    public let request: String
    /// The differences between the request and the recording; empty if the recording was consumed.
    public let mismatches: [Mismatch]
  }

  /// A recording that would have answered, but has already been played.
  struct Consumed: Sendable {
    let entry: Int
    let request: UInt64
  }

  /// The number of the request that missed.
  public let number: UInt64
  /// The method and URL that were sent, with secrets masked.
  public let request: String
  /// The reason for the miss, in one sentence.
  public let reason: String
  /// True if recordings exist that would have answered, but each plays only once.
  public let wasConsumed: Bool
  /// The nearest recordings, at most three, the nearest first.
  public private(set) var nearest: [Nearest]
  /// The commands and changes that would make the request succeed, the simplest first.
  public let remedies: [String]
  /// The operations of specifications with the most similar paths, such as `GET /pets/{id}`.
  package var operations: [String] = []
  /// The remedies as one string.
  public var remedy: String { remedies.joined(separator: "; or ") }

  init(
    _ compared: RequestReading, number: UInt64, in context: Matcher.Context, consumed: [Consumed],
    cursor: PlaybackCursor = PlaybackCursor(), recording: RecordCommand = .unknown
  ) {
    self.number = number
    let table = context.table
    let sent = compared.request
    // The origin is shown only if it may be the difference.
    let origin = context.knowsOrigins && table.hasOtherOrigins(than: sent.namedOrigin) ? sent.namedOrigin : nil
    request = "\(sent.method.rawValue) \(SecretNames.masked(url: (origin ?? "") + sent.pathAndQuery))"
    wasConsumed = !consumed.isEmpty
    guard consumed.isEmpty else {
      let shown = request
      nearest = consumed.prefix(3).map { Nearest(table.entries[$0.entry], []) }
      let uses = consumed.map { "\"\(table.entries[$0.entry].interaction.id)\" by request \($0.request)" }
      let count = consumed.count == 1 ? "once" : "\(consumed.count) times"
      reason = "\(shown) was recorded \(count) and has already been played: \(uses.joined(separator: ", "))"
      remedies = Remedy.texts(forConsumed: consumed.map { table.entries[$0.entry] }, nearest.last, recording)
      return
    }
    // A preflight names the method of another request: the answer to that request is missing.
    let asked = sent.preflighted.map { RequestReading($0) } ?? compared
    let shown = sent.preflighted.map { preflighted in
      let line = "\(preflighted.method.rawValue) \(SecretNames.masked(url: (origin ?? "") + sent.pathAndQuery))"
      return "the preflight request cannot be answered, because \(line)"
    }
    let near = NearMiss.find(asked, in: context).map { number in
      let (entry, states) = (table.entries[number], cursor.mismatches(from: table.replay(of: number)?.when ?? []))
      return (entry: entry, shown: Nearest(entry, Matcher.mismatches(of: asked, from: number, in: context) + states))
    }.filter { NearMiss.isNear($0.shown.mismatches) }
    nearest = near.map(\.shown)
    let differences = nearest.first?.mismatches ?? []
    let isOfAnotherState = !differences.isEmpty && differences.allSatisfy { $0.part.hasPrefix("state.") }
    reason =
      if table.entries.isEmpty {
        "\(shown ?? request) was never recorded: there are no recordings at all"
      } else if isOfAnotherState {
        "\(shown ?? request) is recorded for another state"
      } else {
        "\(shown ?? request) was never recorded\(Self.withThis(differences))"
      }
    remedies = Remedy.texts(
      for: asked.request, of: origin, near: near, in: table, recording)
  }

  /// Creates a miss for a recording whose response is unknown.
  init(
    _ sent: HTTPRequest, number: UInt64, _ gap: String, of entry: RecordingTable.Entry, _ recording: RecordCommand
  ) {
    self.number = number
    request = "\(sent.method.rawValue) \(SecretNames.masked(url: sent.pathAndQuery))"
    reason = "\(request) was recorded, but its response was \(gap)"
    wasConsumed = false
    let near = Nearest(entry, [])
    nearest = [near]
    let line = recording.line(origin: entry.origin, file: entry.interaction.place?.file)
    remedies =
      (line.map { ["record it: \($0)"] } ?? []) + ["replace the \"failure\" by a \"response\" at \(near.place)"]
  }

  /// Returns the miss with the most similar stubs added to the nearest recordings.
  func with(stubs context: Matcher.Context, near compared: RequestReading, _ cursor: PlaybackCursor) -> Miss {
    guard !wasConsumed else { return self }
    let stubs = Miss(compared, number: number, in: context, consumed: [], cursor: cursor)
    var miss = self
    let both = stubs.nearest + nearest
    // Among equally similar candidates a stub comes first, because the current test has added it.
    let ordered = both.enumerated().sorted { ($0.1.mismatches.count, $0.0) < ($1.1.mismatches.count, $1.0) }
    miss.nearest = ordered.prefix(NearMiss.count).map(\.1)
    return miss
  }

  /// Returns words for the only kind of difference, if method, path and query are recorded.
  private static func withThis(_ differences: [Mismatch]) -> String {
    guard !differences.isEmpty, let kind = differences.first?.part.prefix(while: { $0 != "." }),
      differences.allSatisfy({ $0.part.prefix { $0 != "." } == kind })
    else { return "" }
    return switch kind {
    case "body": " with this body"
    case "origin": " from this origin"
    case "credentials": differences.first?.sent == nil ? " without credentials" : " with credentials"
    case "header": " with these header fields"
    default: ""
    }
  }

  /// The complete explanation for users, with control characters escaped.
  public var text: String {
    var lines = ["\(reason)."]
    for near in nearest { lines += near.lines("near") }
    for operation in operations { lines.append("  near: \(operation)  (an operation of the specification)") }
    for (index, remedy) in remedies.enumerated() {
      // Without a full stop, because a remedy may end with a command to copy.
      lines.append(index == 0 ? "  To answer it, \(remedy)" : "  or \(remedy)")
    }
    return lines.map(Printable.escaped).joined(separator: "\n")
  }
}

extension HTTPRequest {
  /// The request that a preflight asks permission for (Fetch §4.8); nil if this request is not a preflight.
  var preflighted: HTTPRequest? {
    guard method == .options, headers.contains("Origin"), let method = headers["Access-Control-Request-Method"] else {
      return nil
    }
    var request = self
    request.method = HTTPMethod(method)
    return request
  }
}

extension Miss.Nearest {
  init(_ entry: RecordingTable.Entry, _ mismatches: [Mismatch]) {
    id = entry.interaction.shownID
    if let place = entry.interaction.place {
      self.place = "\(place.file):\(place.line)"
    } else {
      place = entry.cassette
    }
    request = entry.interaction.shown
    self.mismatches = mismatches
  }

  /// Returns the recording and its first differences as lines for users.
  func lines(_ word: String) -> [String] {
    let more = mismatches.count > 6 ? ["    and \(mismatches.count - 6) more differences"] : []
    return ["  \(word): \(request)  (\"\(id)\", \(place))"] + mismatches.prefix(6).map { "    \($0)" } + more
  }
}
