internal import CassetteEditing
internal import CassetteFiles
internal import CassetteHTTP
internal import CassetteMatching
internal import CassettePlayback
internal import CassetteRecording
internal import CassetteSecrets
internal import Cassettes
internal import MockServerUpstream

/// A choice of how a request that missed is answered from now on; it makes the edit of the cassette.
struct MissAcceptance: Sendable {
  enum Way: String, CaseIterable, Sendable {
    /// The nearest recording leaves out what differs.
    case ignore
    /// A new recording has the answer of the nearest, or one that a person wrote.
    case copy
    /// A new recording has what the live server answers now.
    case upstream
  }

  let way: Way
  /// The nearest recording by its id; the first without it.
  var nearest: String?
  /// The parts that are left out; nil for all that can be.
  var parts: [String]?
  /// The file to write to, where it is not that of the nearest recording.
  var path: String?
  /// The recording as a person wrote it.
  var written: Interaction?
  /// The origin to ask.
  var origin: String?

  /// The recording that a request came nearest to.
  struct Near: Sendable {
    let shown: Miss.Nearest
    /// Its file; nil for a stub and for a fixture.
    var path: String?
    var origin: String?
  }

  /// Makes the edit that answers a request, the nearest recordings first, and tells if it does; throws why there is
  /// none.
  func edit(
    for request: HTTPRequest, _ near: [Near], _ matching: CassetteMatchingOptions, _ upstreams: UpstreamAccess
  ) throws(ControlRefusal) -> (edit: CassetteEdit, answers: Bool) {
    let chosen = nearest == nil ? near.first : near.first { $0.shown.id == nearest }
    if let nearest, chosen == nil {
      throw ControlRefusal(
        409, "\"\(nearest)\" is none of the nearest recordings: \(near.map(\.shown.id).joined(separator: ", "))")
    }
    guard let path = path ?? chosen?.path else {
      throw ControlRefusal(
        409,
        near.isEmpty
          ? "there is no recording near it: say with \"cassette\" which file is to have one"
          : "what is nearest is in no cassette's file: say with \"cassette\" which one is to have a recording")
    }
    let text = try Self.refusing { () throws(CassetteError) in try EditableCassette(reading: path) }
    let edit = way == .ignore ? try ignoring(in: text, chosen) : try adding(request, to: text, chosen, upstreams)
    let answers = Self.answers(request, edit, matching)
    if way == .ignore, !answers {
      throw ControlRefusal(
        409, "with that left out the request would still be a miss; \"copy\" or \"upstream\" add a recording")
    }
    return (edit, answers)
  }

  /// Does what may fail for what is in a file.
  private static func refusing<T>(_ act: () throws(CassetteError) -> T) throws(ControlRefusal) -> T {
    do throws(CassetteError) { return try act() } catch { throw ControlRefusal(409, "\(error)") }
  }

  private func ignoring(in text: EditableCassette, _ near: Near?) throws(ControlRefusal) -> CassetteEdit {
    guard let near, near.path == text.path, let index = text.index(of: near.shown.id) else {
      throw ControlRefusal(409, "\(text.path) has no recording \"\(near?.shown.id ?? "")\" any more")
    }
    let all = near.shown.mismatches
    let mismatches =
      parts.map { parts in all.filter { parts.contains($0.part) } }
      ?? all.filter { RemedyRule.leavingOut([$0]) != nil }
    guard !mismatches.isEmpty, let rules = RemedyRule.leavingOut(mismatches) else {
      let words = all.map(\.part).joined(separator: ", ")
      throw ControlRefusal(
        409,
        words.isEmpty
          ? "nothing differs: each recording has played as often as it was recorded; \"copy\" adds one"
          : "what differs cannot be left out (\(words)); \"copy\" or \"upstream\" add a recording")
    }
    return try Self.refusing { () throws(CassetteError) in try text.adding(rules, to: index) }
  }

  private func adding(
    _ request: HTTPRequest, to text: EditableCassette, _ near: Near?, _ upstreams: UpstreamAccess
  ) throws(ControlRefusal) -> CassetteEdit {
    let place = near.flatMap { $0.path == text.path ? text.index(of: $0.shown.id) : nil }
    var origin = text.cassette.origin ?? near?.origin ?? origin
    if var written {
      let known = Set(text.cassette.interactions.map(\.id))
      written.place = nil
      if written.id.isEmpty || known.contains(written.id) {
        written.id = AcceptedExchange.id(of: written, besides: known)
      }
      var one = Cassette(name: text.cassette.name, interactions: [written])
      one.file = text.path
      return try Self.refusing { () throws(CassetteError) in
        try SecretScanner(.standard).check(one)
        return try text.adding(written, behind: place)
      }
    }
    let exchange: AcceptedExchange
    if way == .upstream {
      let (asked, response, facts) = try ask(request, text.cassette.origin ?? near?.origin, upstreams)
      origin = "\(asked)"
      exchange = AcceptedExchange(request, .response(response), facts)
    } else {
      let outcome = place.map { text.cassette.interactions[$0].outcome }
      exchange = AcceptedExchange(request, outcome ?? .response(RecordedResponse(status: 200)))
    }
    return try Self.refusing { () throws(CassetteError) in
      try text.adding(try exchange.recording(in: text.cassette, origin: origin), behind: place)
    }
  }

  /// Asks the live server, and waits for it.
  private func ask(
    _ request: HTTPRequest, _ home: String?, _ upstreams: UpstreamAccess
  ) throws(ControlRefusal) -> (UpstreamOrigin, RecordedResponse, RecordedFacts) {
    let (upstream, caller) = try upstreams.caller(of: origin, recording: home, for: request)
    do throws(UpstreamCaller.Failure) {
      let answer = try caller.ask(request)
      guard !answer.isStream else { throw UpstreamCaller.Failure("it answers with a stream that need not end") }
      let length = (try? answer.response.body?.bytes().count) ?? 0
      guard length <= AcceptedExchange.longestBody else {
        throw UpstreamCaller.Failure("its answer has \(length) bytes, more than an edit takes in")
      }
      return (upstream, answer.response, answer.facts)
    } catch {
      throw ControlRefusal(
        409,
        "\(upstream) gave no answer to keep: \(error); or record it: mockserver record --missing --upstream \(upstream)"
      )
    }
  }

  /// Tells if an edited cassette answers a request, from its beginning.
  private static func answers(_ request: HTTPRequest, _ edit: CassetteEdit, _ matching: CassetteMatchingOptions) -> Bool
  {
    guard let cassette = try? EditableCassette(path: edit.path, edit.after).cassette else { return false }
    let deck = Deck(CassetteLibrary(cassettes: [cassette]), matching: matching)
    switch deck.answer(request) {
    case .miss: return false
    // A resource or what follows from a recording is none of it.
    case .playback, .derived, .interrupted: return true
    }
  }
}
