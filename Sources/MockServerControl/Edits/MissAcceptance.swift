internal import CassetteHTTP
internal import CassetteMaintenance
internal import CassetteMatching
internal import CassettePlayback
internal import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes
internal import MockServerSockets
internal import MockServerUpstream

/// The chosen way to answer a missed request from now on, which creates the edit of the cassette.
struct MissAcceptance: Sendable {
  enum Way: String, CaseIterable, Sendable {
    /// The nearest recording ignores the parts that differ.
    case ignore
    /// A new recording gets the response of the nearest recording, or a response that the user wrote.
    case copy
    /// A new recording gets the current response of the live server.
    case upstream
  }

  let way: Way
  /// The id of the nearest recording to use; nil for the first.
  var nearest: String?
  /// The parts to ignore; nil for all that can be ignored.
  var parts: [String]?
  /// The file to edit; nil for the file of the nearest recording.
  var path: String?
  /// The recording that the user wrote; nil to derive one.
  var written: Interaction?
  /// The origin of the live server; nil for the origin of the recording.
  var origin: String?

  /// A recording that is similar to the missed request.
  struct Near: Sendable {
    let shown: Miss.Nearest
    /// The file of the recording; nil for a stub or a fixture.
    var path: String?
    var origin: String?
  }

  /// Creates the edit for a request.
  ///
  /// Returns the edit, and true if the edited cassette answers the request.
  func edit(
    for request: HTTPRequest, _ near: [Near], _ matching: CassetteMatchingOptions, _ upstreams: UpstreamAccess
  ) throws(ControlRefusal) -> (edit: CassetteEdit, answers: Bool) {
    let chosen = nearest == nil ? near.first : near.first { $0.shown.id == nearest }
    if let nearest, chosen == nil {
      throw ControlRefusal(
        409, "\"\(nearest)\" is not one of the nearest recordings: \(near.map(\.shown.id).joined(separator: ", "))")
    }
    guard let path = path ?? chosen?.path else {
      throw ControlRefusal(
        409,
        near.isEmpty
          ? "no recording is similar to the request: name the file for a new recording with \"cassette\""
          : "the nearest recording is not in a cassette file: name the file for a new recording with \"cassette\"")
    }
    let text = try Self.refusing { () throws(CassetteError) in try EditableCassette(reading: path) }
    let edit = way == .ignore ? try ignoring(in: text, chosen) : try adding(request, to: text, chosen, upstreams)
    let answers = Self.answers(request, edit, matching)
    if way == .ignore, !answers {
      throw ControlRefusal(
        409, "ignoring this is not enough to answer the request: add a recording with \"copy\" or \"upstream\"")
    }
    return (edit, answers)
  }

  /// Converts a cassette error to a refusal.
  private static func refusing<T>(_ act: () throws(CassetteError) -> T) throws(ControlRefusal) -> T {
    do throws(CassetteError) { return try act() } catch { throw ControlRefusal(409, "\(error)") }
  }

  private func ignoring(in text: EditableCassette, _ near: Near?) throws(ControlRefusal) -> CassetteEdit {
    guard let near, near.path == text.path, let index = text.index(of: near.shown.id) else {
      throw ControlRefusal(409, "\(text.path) no longer has the recording \"\(near?.shown.id ?? "")\"")
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
          ? "nothing differs: all matching recordings have been played; add one with \"copy\""
          : "these differences cannot be ignored: \(words); add a recording with \"copy\" or \"upstream\"")
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

  /// Sends the request to the live server and waits for the response.
  private func ask(
    _ request: HTTPRequest, _ home: String?, _ upstreams: UpstreamAccess
  ) throws(ControlRefusal) -> (UpstreamOrigin, RecordedResponse, RecordedFacts) {
    let (upstream, caller) = try upstreams.caller(of: origin, recording: home, for: request)
    do throws(UpstreamCaller.Failure) {
      let answer = try caller.ask(request)
      guard !answer.isStream else { throw UpstreamCaller.Failure("the response is a stream, which may never end") }
      let length = (try? answer.response.body?.bytes().count) ?? 0
      guard length <= AcceptedExchange.longestBody else {
        throw UpstreamCaller.Failure("the response has \(length) bytes, more than an edit can contain")
      }
      return (upstream, answer.response, answer.facts)
    } catch {
      throw ControlRefusal(
        409,
        "no usable response from \(upstream): \(error); record it: mockserver record --missing --upstream \(ShellWord.quoted("\(upstream)"))"
      )
    }
  }

  /// Returns true if the edited cassette, played from its beginning, answers a request.
  private static func answers(_ request: HTTPRequest, _ edit: CassetteEdit, _ matching: CassetteMatchingOptions) -> Bool
  {
    guard let cassette = try? EditableCassette(path: edit.path, edit.after).cassette else { return false }
    let deck = Deck(CassetteLibrary(cassettes: [cassette]), matching: matching)
    if case .miss = deck.plan(request) { return false }
    return true
  }
}
