public import CassetteHTTP
internal import CassetteSecrets
internal import CassetteSystem

/// A request and its response or failure.
///
/// An interaction that was read from a file is an offset into the file; its strings, header fields and bodies are
/// decoded on access. Changing any part decodes all others.
public struct Interaction: Sendable {
  /// The outcome of a request: a response or a failure.
  public enum Outcome: Sendable {
    /// The request was answered.
    case response(RecordedResponse)
    /// The request failed.
    case failure(RecordedFailure)

    fileprivate var response: RecordedResponse? { if case .response(let response) = self { response } else { nil } }
  }

  private enum Storage: Sendable {
    case read(CassetteFileSource, UInt32)
    indirect case made(InteractionFacts)
  }

  private var storage: Storage

  init(source: CassetteFileSource, index: UInt32) {
    storage = .read(source, index)
  }

  /// Creates an exchange.
  ///
  /// An empty id is derived from method and path when the exchange is written.
  public init(
    id: String = "", method: HTTPMethod, url: String, requestHeaders: HTTPHeaders = [], requestBody: Body? = nil,
    outcome: Outcome, recorded: RecordedFacts? = nil, repeatPolicy: RepeatPolicy = .last
  ) {
    storage = .made(
      InteractionFacts(
        id: id, method: method, url: url, requestHeaders: requestHeaders, requestBody: requestBody, outcome: outcome,
        recorded: recorded, repeatPolicy: repeatPolicy))
  }

  /// The readable name, unique in its file; empty if it is derived on writing.
  public var id: String {
    get { read({ $0.id(of: $1) }, made: { $0.id }) }
    set { change { $0.id = newValue } }
  }

  /// A comment for people.
  public var note: String? {
    get { read({ $1.note > 0 ? $0.text(at: $1.note) : nil }, made: { $0.note }) }
    set { change { $0.note = newValue } }
  }

  /// The request's method.
  public var method: HTTPMethod {
    get { read({ HTTPMethod($0.text(at: $1.method)) }, made: { $0.method }) }
    set { change { $0.method = newValue } }
  }

  /// The request's target as it was sent: `/path?query`, with or without an origin.
  public var url: String {
    get { read({ $0.text(at: $1.url) }, made: { $0.url }) }
    set { change { $0.url = newValue } }
  }

  /// The request's header fields.
  public var requestHeaders: HTTPHeaders {
    get { read({ $0.headers(at: $1.requestHeaders) }, made: { $0.requestHeaders }) }
    set { change { $0.requestHeaders = newValue } }
  }

  /// The request's body; nil if it was empty, is unknown, or is not compared.
  public var requestBody: Body? {
    get { read({ Body(source: $0, offset: $1.requestBody) }, made: { $0.requestBody }) }
    set { change { $0.requestBody = newValue } }
  }

  /// True if the recording has a request body.
  ///
  /// Decodes nothing.
  package var hasRequestBody: Bool { read({ $1.requestBody > 0 }, made: { $0.requestBody != nil }) }

  /// True if the facts of a recording are known; false if a person wrote the request, whose missing body is not compared.
  private var isRecorded: Bool { read({ $1.recorded > 0 }, made: { $0.recorded != nil }) }

  /// True if the recorded request had no body.
  ///
  /// The empty body of a `POST`, `PUT` or `PATCH` is recorded as such.
  package var lacksRequestBody: Bool { isRecorded && !hasRequestBody && Body.sent([], with: method) == nil }

  /// True if the recorded request may have had a body that the recording does not contain.
  package var hasUnknownRequestBody: Bool { isRecorded && !hasRequestBody && Body.sent([], with: method) != nil }

  /// The outcome of the request: a response or a failure.
  public var outcome: Outcome {
    get {
      read { source, record in
        if let failure = Self.failure(source, record) { return .failure(failure) }
        var response = RecordedResponse(
          status: HTTPStatus(Int(record.status)),
          reason: record.reason > 0 ? source.text(at: record.reason) : nil,
          headers: source.headers(at: record.headers),
          body: Body(source: source, offset: record.body))
        response.interim = source.interim(at: record.interim)
        response.trailers = source.headers(at: record.trailers)
        response.isTemplate = record.isTemplate
        response.coding = record.coding > 0 ? source.text(at: record.coding) : nil
        response.hasEmptyHeaders = record.headers > 0 && response.headers.isEmpty
        return .response(response)
      } made: {
        $0.outcome
      }
    }
    set { change { $0.outcome = newValue } }
  }

  /// The time of recording and the durations, if they are known.
  public var recorded: RecordedFacts? {
    get { read({ $0.recorded(at: $1.recorded) }, made: { $0.recorded }) }
    set { change { $0.recorded = newValue } }
  }

  /// The policy for requests that match after the recording has played.
  public var repeatPolicy: RepeatPolicy {
    get { read({ $1.repeatPolicy }, made: { $0.repeatPolicy }) }
    set { change { $0.repeatPolicy = newValue } }
  }

  /// The rules that narrow or widen the requests that the recording answers.
  package var match: MatchRules {
    get { rules?.match ?? MatchRules() }
    set { changeRules { $0.match = newValue } }
  }

  /// The rules for replay, apart from ``repeatPolicy``.
  package var replay: ReplayRules {
    get { rules?.replay ?? ReplayRules() }
    set { changeRules { $0.replay = newValue } }
  }

  /// The source that the interaction was read from; nil if it was made in code or changed.
  package var source: CassetteFileSource? {
    if case .read(let source, _) = storage { source } else { nil }
  }

  /// The rules written for the interaction; nil for most interactions.
  package var rules: InteractionRules? {
    switch storage {
    case .read(let source, let index): source.rules.isEmpty ? nil : source.rules[index]
    case .made(let facts): facts.rules
    }
  }

  private mutating func changeRules(_ change: (inout InteractionRules) -> Void) {
    var rules = rules ?? InteractionRules()
    change(&rules)
    let kept = rules.match.isEmpty && rules.replay.isEmpty ? nil : rules
    self.change { $0.rules = kept }
  }

  /// The position in the cassette or in source code; nil if it is unknown.
  public package(set) var place: SourcePlace? {
    get { read({ $0.place(of: $1.start) }, made: { $0.place }) }
    set { change { $0.place = newValue } }
  }

  /// The response's status code; nil for a failure.
  public var status: Int? {
    read({ $1.failure > 0 ? nil : Int($1.status) }, made: { $0.outcome.response?.status.code })
  }

  /// The path and query of the recorded request.
  package var pathAndQuery: String { RecordedTarget.pathAndQuery(of: url) }

  /// The response; nil for a failure.
  public var response: RecordedResponse? { outcome.response }

  /// The failure; nil if there was a response.
  public var failure: RecordedFailure? {
    // Without the outcome: the response of each recording would be read when a cassette is loaded.
    read({ Self.failure($0, $1) }, made: { if case .failure(let failure) = $0.outcome { failure } else { nil } })
  }

  private static func failure(_ source: CassetteFileSource, _ record: CassetteFileRecord) -> RecordedFailure? {
    guard record.failure > 0 else { return nil }
    return source.value(at: record.failure, Grammar.failure, new: FailureObject()).failure
  }

  /// True if the response is a template that is rendered for each request.
  ///
  /// Decodes nothing.
  package var isTemplate: Bool { read({ $1.isTemplate }, made: { $0.outcome.response?.isTemplate ?? false }) }

  /// The response's body; its header fields are not decoded.
  package var responseBody: Body? {
    get { read({ Body(source: $0, offset: $1.body) }, made: { $0.outcome.response?.body }) }
    set {
      guard var response else { return }
      response.body = newValue
      outcome = .response(response)
    }
  }

  /// The media type of the response's body if the interaction was written by hand without `headers`; nil if it was
  /// recorded, or lists header fields.
  package var impliedType: String? {
    read {
      $1.headers == 0 && $1.recorded == 0 ? Body(source: $0, offset: $1.body)?.impliedType : nil
    } made: { facts in
      guard facts.recorded == nil, let response = facts.outcome.response, response.headers.isEmpty else { return nil }
      return response.hasEmptyHeaders ? nil : response.body?.impliedType
    }
  }

  /// Calls `use` with the bytes of method and URL.
  ///
  /// Decodes nothing if they were read from a file and have no escapes.
  package func withRequestLine<R>(_ use: (_ method: Span<UInt8>, _ url: Span<UInt8>) -> R) -> R {
    if case .read(let source, let index) = storage {
      let record = source.records[Int(index)]
      let text = source.bytes
      let bytes = text.span
      let method = CassetteFileSource.content(at: record.method, in: bytes)
      let url = CassetteFileSource.content(at: record.url, in: bytes)
      if !method.hasEscapes, !url.hasEscapes {
        return use(bytes.extracting(method.range), bytes.extracting(url.range))
      }
    }
    return method.rawValue.withUTF8Span { method in url.withUTF8Span { use(method, $0) } }
  }

  private func read<T>(_ read: (CassetteFileSource, CassetteFileRecord) -> T, made: (InteractionFacts) -> T) -> T {
    switch storage {
    case .read(let source, let index): read(source, source.records[Int(index)])
    case .made(let facts): made(facts)
    }
  }

  private mutating func change(_ change: (inout InteractionFacts) -> Void) {
    var facts: InteractionFacts
    if case .made(let made) = storage {
      facts = made
    } else {
      facts = InteractionFacts(
        id: id, method: method, url: url, requestHeaders: requestHeaders, requestBody: requestBody, outcome: outcome,
        recorded: recorded, repeatPolicy: repeatPolicy, rules: rules, place: place, note: note)
    }
    change(&facts)
    storage = .made(facts)
  }
}

/// The parts of an interaction that was made in code or changed.
private struct InteractionFacts: Sendable {
  var id: String
  var method: HTTPMethod
  var url: String
  var requestHeaders: HTTPHeaders
  var requestBody: Body?
  var outcome: Interaction.Outcome
  var recorded: RecordedFacts?
  var repeatPolicy: RepeatPolicy
  var rules: InteractionRules?
  var place: SourcePlace?
  var note: String?
}

extension Interaction {
  /// The method and URL for display, with secrets masked.
  package var shown: String { "\(method) \(SecretNames.masked(url: url))" }

  /// The reason why the bodies cannot be searched for secrets; nil if they can.
  ///
  /// A body in a file is searched in the file.
  package var opaqueReason: String? {
    if let reason = Self.reason(requestBody, requestHeaders) { return "its request: \(reason)" }
    return Self.reason(responseBody, response?.headers ?? [])
  }

  /// Returns the same request with a placeholder for a response that was not captured.
  package func gap(_ reason: String) -> Interaction {
    var gap = self
    if !isGap { gap.outcome = .failure(RecordedFailure.notCaptured(reason)) }
    return gap
  }

  /// True if the interaction is the placeholder of a skipped recording.
  package var isGap: Bool { failure?.gap != nil }

  /// Returns a placeholder for a recording with bodies that cannot be searched for secrets: a request that matches the
  /// placeholder is a miss that states the reason.
  package func opaqueGap(_ reason: String) -> Interaction {
    var gap = gap(reason)
    if gap.opaqueReason != nil { gap.requestBody = nil }
    return gap
  }

  private static func reason(_ body: Body?, _ headers: HTTPHeaders) -> String? {
    guard let body, let bytes = try? body.bytes() else { return nil }
    return OpaqueBody.reason(bytes, headers)
  }
}

extension Interaction {
  /// The id for display.
  ///
  /// If the id was derived from a path with a secret, it is derived from the masked path instead.
  package var shownID: String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let masked = SecretNames.masked(url: String(path))
    guard masked != path else { return id }
    func derived(_ url: String) -> String {
      var ids = CassetteFileIDs(capacity: 1)
      let id = ids.derive(method: Array(method.rawValue.utf8).span, url: Array(url.utf8).span)
      return String(decoding: id, as: UTF8.self)
    }
    let own = derived(url)
    return id.hasPrefix(own) ? derived(masked) + id.dropFirst(own.count) : id
  }
}

extension Interaction {
  /// Returns true if another recording has an equal request body and an equal outcome, so that either of them can be
  /// played.
  package func isLike(_ other: Interaction) -> Bool {
    guard failure == other.failure, Self.sameBytes(requestBody, other.requestBody) else { return false }
    guard let response else { return other.response == nil }
    guard let theirs = other.response else { return false }
    return response.status == theirs.status && response.headers == theirs.headers
      && response.isTemplate == theirs.isTemplate && response.interim.isEmpty && theirs.interim.isEmpty
      && Self.sameBytes(response.body, theirs.body)
  }

  /// Returns true if a recording is the same as before an edit of its file.
  package func isUnchanged(since old: Interaction) -> Bool {
    id == old.id && method == old.method && url == old.url && requestHeaders == old.requestHeaders
      && repeatPolicy == old.repeatPolicy && rules?.match == old.rules?.match && rules?.replay == old.rules?.replay
      && isLike(old)
  }

  private static func sameBytes(_ one: Body?, _ other: Body?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    guard let bytes = try? one.bytes(), let others = try? other.bytes() else { return false }
    return bytes == others
  }
}
