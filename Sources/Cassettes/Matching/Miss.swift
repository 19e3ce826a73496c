internal import HTTP
internal import JSONText

/// A request no recording answers, with the nearest ones and how they differ.
public struct Miss: Sendable {
  /// A recording that is no answer but nearly one.
  public struct Nearest: Sendable {
    /// The recording's `id`.
    public let id: String
    /// The cassette it is in, and where, as `cassettes/github.json:41`.
    public let place: String
    /// Method and URL of the recorded request, secrets masked.
    public let request: String
    /// In what the request differs; nothing when the recording was used up.
    public let mismatches: [Mismatch]
  }

  /// A recording that would have answered, had it not been played already.
  struct Consumed: Sendable {
    let entry: Int
    let request: UInt64
  }

  /// The number of the request that missed.
  public let number: UInt64
  /// Method and URL as they were sent, secrets masked.
  public let request: String
  /// What happened, in one sentence.
  public let reason: String
  /// Whether recordings exist that would have answered, but each was to play only once.
  public let wasConsumed: Bool
  /// At most three recordings, the nearest first.
  public let nearest: [Nearest]
  /// What to type or change so that the request is answered.
  public let remedy: String

  /// Of an origin, when recordings of others are no answers.
  init(
    _ request: HTTPRequest, of origin: String? = nil, number: UInt64, in reel: Reel, consumed: [Consumed],
    tape: Tape = Tape()
  ) {
    self.number = number
    let shown = "\(request.method.rawValue) \(SecretNames.masked(url: (origin ?? "") + request.pathAndQuery))"
    self.request = shown
    wasConsumed = !consumed.isEmpty
    if consumed.isEmpty {
      let near = NearMiss.find(request, in: reel)
      nearest = near.map { entry in
        let recording = reel.entries[entry]
        let interaction = recording.interaction
        let isOther = origin != nil && recording.origin != origin
        let other = isOther ? [Mismatch(part: "origin", sent: origin, recorded: recording.origin)] : []
        return Nearest(
          recording,
          other + Matcher.mismatches(of: request, from: interaction) + tape.mismatches(from: interaction.replay.when))
      }
      let differences = nearest.first?.mismatches ?? []
      let isOfAnotherState = !differences.isEmpty && differences.allSatisfy { $0.part.hasPrefix("state.") }
      reason =
        if reel.entries.isEmpty {
          "\(shown) was never recorded: there are no recordings at all"
        } else if isOfAnotherState {
          "\(shown) is recorded for another state"
        } else {
          "\(shown) was never recorded"
        }
      remedy = Remedy.text(
        for: request, of: origin, near: zip(near.map { reel.entries[$0] }, nearest).map { ($0, $1) }, in: reel)
    } else {
      nearest = consumed.prefix(3).map { Nearest(reel.entries[$0.entry], []) }
      let uses = consumed.map { "\"\(reel.entries[$0.entry].interaction.id)\" by request \($0.request)" }
      let count = consumed.count == 1 ? "once" : "\(consumed.count) times"
      reason = "\(shown) was recorded \(count) and is consumed: \(uses.joined(separator: ", "))"
      remedy =
        "set \"replay\": { \"repeat\": \"last\" } on \"\(nearest.last?.id ?? "")\" (\(nearest.last?.place ?? "")), "
        + "or rewind: POST /__mock/reset on a server, TestServer.rewind() or CassettePlayer.rewind() in a test"
    }
  }

  /// The whole explanation, for people, control characters escaped.
  public var text: String {
    var lines = ["\(reason)."]
    for near in nearest {
      lines.append("  near: \(near.request)  (\"\(near.id)\", \(near.place))")
      for mismatch in near.mismatches.prefix(6) { lines.append("    \(mismatch)") }
      if near.mismatches.count > 6 { lines.append("    and \(near.mismatches.count - 6) more differences") }
    }
    lines.append("  To answer it: \(remedy).")
    return lines.map(Printable.escaped).joined(separator: "\n")
  }

  /// The explanation as `application/problem+json` (RFC 9457).
  ///
  /// - Parameter status: What the server answers a miss with.
  /// - Returns: The JSON over several lines, because people read it in a terminal.
  public func problem(status: Int) -> [UInt8] {
    var json = JSONWriter()
    json.object {
      $0.member("type", "about:blank")
      $0.member("title", wasConsumed ? "Every recording is consumed" : "No recording answers")
      $0.member("status", status)
      $0.member("detail", reason)
      $0.member("request", request)
      $0.member("number", Int(clamping: number))
      $0.array("nearest") { list in
        for near in nearest {
          list.object { item in
            item.member("id", near.id)
            item.member("place", near.place)
            item.member("request", near.request)
            item.array("differs") { differs in
              for mismatch in near.mismatches { differs.element("\(mismatch)") }
            }
          }
        }
      }
      $0.member("remedy", remedy)
    }
    var problem: [UInt8] = []
    let compact = json.bytes
    JSONStyle.indent2.render(compact.span, into: &problem)
    return problem + [UInt8(ascii: "\n")]
  }
}

extension Miss.Nearest {
  init(_ entry: Reel.Entry, _ mismatches: [Mismatch]) {
    id = entry.interaction.id
    if let place = entry.interaction.place {
      self.place = "\(place.file):\(place.line)"
    } else {
      place = entry.cassette
    }
    request = "\(entry.interaction.method.rawValue) \(SecretNames.masked(url: entry.interaction.url))"
    self.mismatches = mismatches
  }
}
