import CassetteHTTP
internal import CassetteJSON
internal import CassettePatterns
package import Cassettes

/// The texts in an exchange's rules: secrets in them are found, and taken out, as in a request.
///
/// Each is shown to the redaction as a request that has it in its place, so that what names a secret there names it here.
package enum RuleTexts {
  private enum Place {
    case header(String)
    case cookie(String)
    case parameter(String)
    case text
    case body
  }

  /// Requests that say what the rules say, to be looked through.
  package static func requests(of match: MatchRules) -> [Interaction] {
    guard !match.isEmpty else { return [] }
    var requests: [Interaction] = []
    _ = mapped(match) { (text, place) throws(Never) in
      requests.append(request(text, place))
      return text
    }
    return requests
  }

  /// The rules with aliases in the place of secrets.
  package static func redacting(_ match: MatchRules, _ pass: inout StreamedRedaction) throws(CassetteError)
    -> MatchRules
  {
    guard !match.isEmpty else { return match }
    return try mapped(match) { (text, place) throws(CassetteError) in
      read(try pass.redacting(request(text, place)), place) ?? text
    }
  }

  private static func request(_ text: String, _ place: Place) -> Interaction {
    var interaction = Interaction(
      method: .get, url: "/", outcome: .response(RecordedResponse(status: 200)))
    switch place {
    case .header(let name): interaction.requestHeaders = [(name, text)]
    case .cookie(let name): interaction.requestHeaders = [("Cookie", "\(name)=\(text)")]
    case .parameter(let name): interaction.url = "/?" + escaped(name) + "=" + escaped(text)
    case .text, .body: interaction.requestBody = .storing(Array(text.utf8))
    }
    return interaction
  }

  /// What may stand in a query as it is, and the rest escaped (RFC 3986 §2.1).
  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    CanonicalTarget.appendEncoded(Array(text.utf8), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func read(_ interaction: Interaction, _ place: Place) -> String? {
    switch place {
    case .header: interaction.requestHeaders.first?.value
    case .cookie(let name): interaction.requestHeaders.first.map { String($0.value.dropFirst(name.count + 1)) }
    case .parameter: QueryItem.parse(String(interaction.url.drop { $0 != "?" }.dropFirst())).first?.value
    case .text, .body: (try? interaction.requestBody?.bytes()).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  // MARK: Every text of the rules

  private typealias Change<E: Error> = (String, Place) throws(E) -> String

  private static func mapped<E>(_ match: MatchRules, _ change: Change<E>) throws(E) -> MatchRules {
    var match = match
    if let url = match.url { match.url = try mapped(url, .text, change) }
    switch match.path {
    case .condition(let condition): match.path = .condition(try mapped(condition, .text, change))
    // An alias in the place of a segment is a name in braces: any segment will do.
    case .literal(let text): match.path = MatchRules.path(try change(text, .text))
    case .template(let template): match.path = MatchRules.path(try change(template.text, .text))
    case nil: break
    }
    match.query = try mapped(match.query, change) { .parameter($0) }
    match.headers = try mapped(match.headers, change) { .header($0) }
    match.cookies = try mapped(match.cookies, change) { .cookie($0) }
    var body: [BodyRule] = []
    for rule in match.body {
      switch rule {
      case .text(let condition): body.append(.text(try mapped(condition, .body, change)))
      case .json(let value, let ignored, let extra, let order):
        let text = try change(String(decoding: value, as: UTF8.self), .body)
        body.append(.json(Array(text.utf8), ignoring: ignored, extra: extra, order: order))
      case .values(let conditions):
        var changed = conditions
        for (index, entry) in conditions.enumerated() {
          // The last name in it, whatever it is written in.
          let name = entry.place.description.split { ".['\"]".contains($0) }.last
          changed[index].condition = try mapped(entry.condition, .parameter(String(name ?? "")), change)
        }
        body.append(.values(changed))
      case .form(let conditions): body.append(.form(try mapped(conditions, change) { .parameter($0) }))
      case .base64: body.append(rule)
      }
    }
    match.body = body
    return match
  }

  private static func mapped<E>(
    _ conditions: NamedConditions, _ change: Change<E>, _ place: (String) -> Place
  ) throws(E) -> NamedConditions {
    var entries: [NamedConditions.Entry] = []
    for entry in conditions.entries {
      entries.append(.init(entry.name, try mapped(entry.condition, place(entry.name), change)))
    }
    return NamedConditions(entries)
  }

  private static func mapped<E>(_ condition: Condition, _ place: Place, _ change: Change<E>) throws(E) -> Condition {
    guard case .all(let terms) = condition else { return condition }
    var changed: [Condition.Term] = []
    for term in terms {
      switch term {
      case .equals(let text): changed.append(.equals(try change(text, place)))
      case .equalsIgnoringCase(let text): changed.append(.equalsIgnoringCase(try change(text, place)))
      // A name says that a value is a secret; of what stands for many values only a known secret is one.
      case .contains(let text):
        let after = try change(text, .text)
        changed.append(after == text ? term : pattern(after, isLiteral: true).map { .matches($0) } ?? .absent(false))
      case .doesNotContain(let text):
        changed.append(try change(text, .text) == text ? term : .absent(false))
      case .matches(let regex):
        let after = try change(regex.source, .text)
        changed.append(
          after == regex.source ? term : pattern(after, isLiteral: false).map { .matches($0) } ?? .absent(false))
      case .doesNotMatch(let regex):
        changed.append(try change(regex.source, .text) == regex.source ? term : .absent(false))
      case .absent: changed.append(term)
      }
    }
    return .all(changed)
  }

  /// A text with aliases as a pattern in which anything stands for each of them.
  private static func pattern(_ text: String, isLiteral: Bool) -> TextPattern? {
    var source = isLiteral ? "(?s).*" : ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{secret"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      let before = String(rest[..<start.lowerBound])
      source += (isLiteral ? TextPattern.escaped(before) : before) + ".+"
      rest = rest[end.upperBound...]
    }
    source += isLiteral ? TextPattern.escaped(String(rest)) + ".*" : String(rest)
    return try? TextPattern(source)
  }
}
