import CassetteHTTP
import CassetteJSON
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

/// Keeps details of a recording when its exchange is recorded again.
extension RecordingMerge {
  /// Keeps the old request if the new one is equivalent, to avoid a change in the cassette on every recording.
  ///
  /// - `volatility`: The values of all requests, to replace generated values in the response, too, by those of the old
  ///   request, unless another request contains them; nil to keep the response.
  ///
  /// - Returns: The part of the request that is kept only while the response is unchanged; nil if a user-defined rule
  ///   keeps the request.
  func keepExample(
    _ new: inout Interaction, _ old: Interaction, _ match: MatchRules, _ volatility: RecordingVolatility?
  )
    -> Example?
  {
    if RecordedRequestKey(new, .compared) == RecordedRequestKey(old, .compared) {
      // The requests differ only in spelling, such as the random order of a dictionary.
      (new.method, new.url) = (old.method, old.url)
      // A boundary also appears in a field, and the id of a JSON-RPC call in its response.
      let type = new.requestHeaders.mediaType
      if type?.type != "multipart",
        Self.saysTheSame(new, old, isForm: type?.subtype == "x-www-form-urlencoded")
          || !Self.isEchoed(new, old)
      {
        new.requestBody = old.requestBody
      }
      return .fields
    }
    if old.requestBody == nil || isAnswered(new, by: old, match) {
      Self.keepRequest(&new, old)
      return nil
    }
    guard RecordedRequestKey(new, .withoutGenerated) == RecordedRequestKey(old, .withoutGenerated) else {
      return .fields
    }
    guard Self.isEchoed(new, old) else {
      new.requestBody = old.requestBody
      return .body
    }
    guard let volatility, Self.replaceEchoes(in: &new, old, volatility) else { return .fields }
    new.requestBody = old.requestBody
    return .echoes
  }

  /// The part of an old request that is kept while its response is unchanged.
  enum Example {
    /// Volatile fields.
    case fields
    /// Volatile fields, and generated values in the body.
    case body
    /// The same, and the generated values that the response repeats.
    case echoes
  }

  /// Copies the requested language, which may have determined the response.
  static func sayLanguage(_ new: inout Interaction, _ sent: Interaction) {
    var languages = sent.requestHeaders.values(of: "Accept-Language")[...]
    guard languages.count == new.requestHeaders.values(of: "Accept-Language").count else { return }
    new.requestHeaders = HTTPHeaders(
      fields: new.requestHeaders.map { field in
        guard field.isNamed("Accept-Language"), let language = languages.popFirst() else { return field }
        return HTTPHeaders.Field(name: field.name, value: language)
      })
  }

  /// True if two bodies differ only in the order of members or fields, or in white space.
  private static func saysTheSame(_ new: Interaction, _ old: Interaction, isForm: Bool) -> Bool {
    guard let before = try? old.requestBody?.bytes(), let after = try? new.requestBody?.bytes() else { return true }
    return JSONDifference.equal(before, after)
      || isForm
        && ParameterComparison.equal(String(decoding: after, as: UTF8.self), String(decoding: before, as: UTF8.self))
  }

  /// Replaces the generated values of a new request in its response by those of the old request; returns false if a
  /// body is not JSON or is not in memory, or if another request contains a value, such as the path of a later one.
  private static func replaceEchoes(
    in new: inout Interaction, _ old: Interaction, _ volatility: RecordingVolatility
  ) -> Bool {
    guard let before = try? old.requestBody?.bytes(), let after = try? new.requestBody?.bytes(),
      let changes = ScalarChanges(from: before, to: after), changes.isSameOtherwise,
      !changes.list.contains(where: { volatility.isRepeated($0.new) }), case .response(var response) = new.outcome,
      let body = RecordingVolatility.bytes(of: response.body)
    else { return false }
    if case .chunks? = response.body?.form { return false }
    func replaced(_ text: [UInt8]) -> [UInt8] {
      // A short value, such as a number, also occurs by chance.
      changes.list.filter { $0.new.count >= 6 }.reduce(text) { $0.replacing($1.new, with: $1.old) }
    }
    response.body = response.body.map { _ in .storing(replaced(body)) }
    response.headers = HTTPHeaders(
      fields: response.headers.map { field in
        let value = replaced(Array(field.value.utf8))
        return HTTPHeaders.Field(
          name: field.name, value: String(decoding: value, as: UTF8.self), isLatin1: field.isLatin1)
      })
    new.outcome = .response(response)
    return true
  }

  /// True if the response repeats a generated value of the request, so that they must be kept together.
  private static func isEchoed(_ new: Interaction, _ old: Interaction) -> Bool {
    guard let before = try? old.requestBody?.bytes(), let after = try? new.requestBody?.bytes(),
      let changes = ScalarChanges(from: before, to: after)
    else { return true }
    var said = new.response?.headers.map { Array($0.value.utf8) } ?? []
    if let body = new.response?.body {
      guard let bytes = try? body.bytes() else { return true }
      said.append(bytes)
    }
    return changes.list.contains { change in said.contains { $0.firstIndex(of: change.new, from: 0) != nil } }
  }

  /// Copies the id, rules and notes of the old recording, which are independent of the content of an exchange.
  static func resemble(_ new: inout Interaction, _ old: Interaction) {
    new.id = old.id
    new.repeatPolicy = old.repeatPolicy
    new.note = old.note
    if new.recorded?.by == nil { new.tag(by: old.recorded?.by) }
    if let rules = old.rules { (new.match, new.replay) = (rules.match, rules.replay) }
    new.requestHeaders = RecordingComparison.ordered(new.requestHeaders, like: old.requestHeaders)
    if case .response(var response) = new.outcome, let before = old.response {
      response.headers = RecordingComparison.ordered(response.headers, like: before.headers)
      new.outcome = .response(response)
    }
  }

  static func keepRequest(_ new: inout Interaction, _ old: Interaction) {
    new.method = old.method
    new.url = old.url
    new.requestHeaders = old.requestHeaders
    new.requestBody = old.requestBody
  }

  /// Returns the first origin that a cassette can contain, that is, one without user information.
  static func origin(of sent: [Sent]) -> String? {
    sent.lazy.compactMap { RecordedTarget.origin(of: $0.interaction.url) }.first { CassetteFileGrammar.isOrigin($0) }
  }

  static func relative(_ interaction: Interaction, to origin: String?) -> Interaction {
    guard let origin, RecordedTarget.origin(of: interaction.url) == RecordedTarget.canonicalOrigin(origin) else {
      return interaction
    }
    var interaction = interaction
    interaction.url = interaction.pathAndQuery
    return interaction
  }
}

extension Interaction {
  /// Sets the test that recorded the exchange; does nothing if there is no test.
  mutating func tag(by test: String?) {
    guard let test else { return }
    var facts = recorded ?? RecordedFacts()
    facts.by = test
    recorded = facts
  }

  /// True if the response is incomplete.
  var breaksOff: Bool {
    if case .chunks(_, let end)? = response?.body?.form { end != .complete } else { false }
  }

  /// True if the client disconnected early, and the existing recording has more of the response.
  func isCut(before old: Interaction) -> Bool {
    guard recorded?.isCut == true, let before = old.response else { return false }
    guard old.recorded?.isCut == true, let had = try? before.body?.bytes(), let has = try? responseBody?.bytes() else {
      return true
    }
    return had.starts(with: has)
  }
}
