import CassetteHTTP
import CassetteJSON
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

/// Keeps details of a recording when its exchange is recorded again.
extension RecordingMerge {
  /// Keeps the old request if the new one is equivalent, to avoid a change in the cassette on every recording.
  ///
  /// - Returns: The part of the request that is kept only while the response is unchanged; nil if a user-defined rule
  ///   keeps the request.
  func keepExample(_ new: inout Interaction, _ old: Interaction, _ match: MatchRules) -> Example? {
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
    guard RecordedRequestKey(new, .withoutGenerated) == RecordedRequestKey(old, .withoutGenerated),
      !Self.isEchoed(new, old)
    else { return .fields }
    new.requestBody = old.requestBody
    return .body
  }

  /// The part of an old request that is kept while its response is unchanged.
  enum Example {
    /// Volatile fields.
    case fields
    /// Volatile fields, and generated values in the body.
    case body
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
