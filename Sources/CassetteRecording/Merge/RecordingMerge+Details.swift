import CassetteHTTP
import CassetteJSON
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

/// Keeping details of a recording when its exchange is recorded anew.
extension RecordingMerge {
  /// Keeps the old request where rules make it the same: a new example each time would be a change each time.
  ///
  /// - Returns: The part that is the old one's for the old answer alone; nil where a person's rules keep the request.
  func keepExample(_ new: inout Interaction, _ old: Interaction, _ match: MatchRules) -> Example? {
    if RecordedRequestKey(new, .compared) == RecordedRequestKey(old, .compared) {
      // The same in another spelling: a dictionary's order is another each time.
      (new.method, new.url) = (old.method, old.url)
      // A boundary stands in a field as well, and the id of a JSON-RPC call in its answer.
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

  /// The part of an old request that stays as long as its answer does.
  enum Example {
    /// Fields that differ each time.
    case fields
    /// The values that are made anew in its body, as well.
    case body
  }

  /// Says the language that was asked for: it may have decided on the answer.
  static func sayLanguage(_ new: inout Interaction, _ sent: Interaction) {
    var languages = sent.requestHeaders.values(of: "Accept-Language")[...]
    guard languages.count == new.requestHeaders.values(of: "Accept-Language").count else { return }
    new.requestHeaders = HTTPHeaders(
      fields: new.requestHeaders.map { field in
        guard field.isNamed("Accept-Language"), let language = languages.popFirst() else { return field }
        return HTTPHeaders.Field(name: field.name, value: language)
      })
  }

  /// Tells whether two bodies differ in their spelling only: the order of members or fields, white space.
  private static func saysTheSame(_ new: Interaction, _ old: Interaction, isForm: Bool) -> Bool {
    guard let before = try? old.requestBody?.bytes(), let after = try? new.requestBody?.bytes() else { return true }
    return JSONDifference.equal(before, after)
      || isForm
        && ParameterComparison.equal(String(decoding: after, as: UTF8.self), String(decoding: before, as: UTF8.self))
  }

  /// Tells whether the answer repeats a value that the request made anew: then the two belong together.
  private static func isEchoed(_ new: Interaction, _ old: Interaction) -> Bool {
    guard let before = try? old.requestBody?.bytes(), let after = try? new.requestBody?.bytes(),
      let walk = JSONWalk(before, after)
    else { return true }
    var said = new.response?.headers.map { Array($0.value.utf8) } ?? []
    if let body = new.response?.body {
      guard let bytes = try? body.bytes() else { return true }
      said.append(bytes)
    }
    return walk.changes.contains { change in said.contains { $0.firstIndex(of: change.new, from: 0) != nil } }
  }

  /// Copies the decisions of a person or the cassette, which outlive the content of an exchange.
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

  /// The origin of most of them: the first one's, unless its URL has a user in it.
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
  /// Says which test recorded it; what is no test's stays as it is.
  mutating func tag(by test: String?) {
    guard let test else { return }
    var facts = recorded ?? RecordedFacts()
    facts.by = test
    recorded = facts
  }

  /// True if the answer broke off before its end.
  var breaksOff: Bool {
    if case .chunks(_, let end)? = response?.body?.form { end != .complete } else { false }
  }

  /// True if its client left before the end, and an earlier recording has more of the answer.
  func isCut(before old: Interaction) -> Bool {
    guard recorded?.isCut == true, let before = old.response else { return false }
    guard old.recorded?.isCut == true, let had = try? before.body?.bytes(), let has = try? responseBody?.bytes() else {
      return true
    }
    return had.starts(with: has)
  }
}
