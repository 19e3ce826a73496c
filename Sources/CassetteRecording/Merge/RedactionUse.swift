internal import CassetteHTTP
internal import CassetteJSON
package import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// The user-defined redaction rules that matched a recording, and those without a match, often because of a typo.
package struct RedactionUse: Hashable, Sendable {
  /// A rule without a match, and a similar place that exists.
  package struct Unmatched: Hashable, Sendable {
    var place: CassetteRedaction.Place
    package var nearest: CassetteRedaction.Place?
  }

  /// The places at which a secret was redacted.
  package var matched: Set<CassetteRedaction.Place> = []
  /// The places at which no secret was found.
  package var unmatched: [Unmatched] = []
  /// The places at which a secret was redacted before, and which now contain other text.
  package var bared: Set<CassetteRedaction.Place> = []
  /// The number of bodies that are not kept because the search for secrets took too many steps.
  var abandoned = 0
  /// Messages about exchanges that are not usable without their secrets.
  var warnings: [String] = []
  /// The values that look like tokens and are kept, because an exchange is not usable without them.
  var keptGuesses: Set<[UInt8]> = []

  /// Creates an instance from places.
  package init(matched: Set<CassetteRedaction.Place> = [], unmatched: [Unmatched] = []) {
    (self.matched, self.unmatched) = (matched, unmatched)
  }

  /// Adds the result of another part of a recording; a place is matched if it is matched in either part.
  mutating func add(_ other: RedactionUse) {
    matched.formUnion(other.matched)
    for place in other.unmatched where !unmatched.contains(where: { $0.place == place.place }) {
      unmatched.append(place)
    }
    unmatched.removeAll { matched.contains($0.place) }
    bared.formUnion(other.bared)
    abandoned += other.abandoned
    warnings += other.warnings
    keptGuesses.formUnion(other.keptGuesses)
  }

  /// Adds the places at which an old recording has an alias and its replacement has none.
  mutating func compare(_ old: Interaction, _ new: Interaction) {
    func isAlias(_ text: String) -> Bool { SecretAlias.neutral(text).text == "{{secret:}}" }
    func isClear(_ text: String) -> Bool {
      text.count > 1 && !text.contains("{{secret:") && !SecretNames.isPlaceholder(text)
    }
    for (old, new) in [(old.requestHeaders, new.requestHeaders), (old.response?.headers, new.response?.headers)] {
      for field in old ?? [] where isAlias(field.value) {
        if let value = new?[field.name], isClear(value) { bared.insert(.header(field.name.lowercased())) }
      }
    }
    for (old, new) in [(old.requestBody, new.requestBody), (old.responseBody, new.responseBody)] {
      guard let old, let new, (try? old.openLongFile() == nil && new.openLongFile() == nil) == true,
        let before = try? old.bytes(), before.firstIndex(of: Array("{{secret:".utf8)) != nil,
        let after = try? new.bytes()
      else { continue }
      var aliases: Set<String> = []
      Self.eachText(in: before) { if isAlias($1) { aliases.insert($0) } }
      Self.eachText(in: after) { if aliases.contains($0), isClear($1) { bared.insert(.json($0)) } }
    }
  }

  /// Calls a closure with each string and number of a JSON document, and its path with `[*]` for each array index.
  private static func eachText(in bytes: [UInt8], _ use: (_ path: String, _ text: String) -> Void) {
    JSONScalars.each(in: bytes) { steps, range in
      let isString = bytes[range.lowerBound] == UInt8(ascii: "\"")
      guard isString || bytes[range.lowerBound] < UInt8(ascii: "A") else { return }
      let text = isString ? JSONTree.text(ofString: bytes[range]) : Array(bytes[range])
      use(Self.path(steps), String(decoding: text, as: UTF8.self))
    }
  }

  /// Returns a path with `[*]` for each array index.
  fileprivate static func path(_ steps: [JSONPath.Step]) -> String {
    JSONPath(steps).description.replacing(#/\[[0-9]+\]/#, with: "[*]")
  }

  /// Returns a message for each place that was not matched, with a suggestion.
  ///
  /// - `spelled`: Returns the notation of a place for the reader: code or command line option.
  package func lines(
    besides elsewhere: Set<CassetteRedaction.Place> = [], _ spelled: (CassetteRedaction.Place) -> String = \.code
  ) -> [String] {
    unmatched.filter { !elsewhere.contains($0.place) }.map { unmatched in
      let next = unmatched.nearest.map { "did you mean \(spelled($0))?" } ?? "check the name in the recorded exchanges"
      return "\(spelled(unmatched.place)) matched nothing; \(next)"
    }
      + bared.map(spelled).sorted().map {
        "a previously removed value is now recorded in the clear: remove it with \($0)"
      }
      + warnings + (abandoned == 0 ? [] : ["\(RedactionPass.givenUp) (\(abandoned))"])
  }
}

extension RedactionPass {
  /// Returns the user-defined places that were matched in exchanges.
  func use(in sent: [Interaction], besides old: Cassette) -> RedactionUse {
    // A `value` rule need not match.
    let unmatched = named.subtracting(matched).filter { if case .value = $0 { false } else { true } }
      .sorted { "\($0)" < "\($1)" }.filter { !Self.isNamed($0, in: old) }
    var use = RedactionUse(
      matched: matched,
      unmatched: unmatched.map { RedactionUse.Unmatched(place: $0, nearest: Self.nearest(to: $0, in: sent)) })
    use.abandoned = abandoned
    return use
  }

  /// True if a cassette contains the last name of a place.
  private static func isNamed(_ place: CassetteRedaction.Place, in cassette: Cassette) -> Bool {
    guard !cassette.interactions.isEmpty, let bytes = try? CassetteFile.bytes(of: cassette) else { return false }
    return String(decoding: bytes, as: UTF8.self).lowercased().contains(place.lastName.lowercased())
  }

  /// Returns the most similar place in the exchanges.
  private static func nearest(to place: CassetteRedaction.Place, in sent: [Interaction]) -> CassetteRedaction.Place? {
    switch place {
    case .header(let name):
      let names = sent.flatMap { Array($0.requestHeaders) + Array($0.response?.headers ?? []) }.map(\.name)
      return Cassettes.nearest(to: name, among: names).map { .header($0) }
    case .query(let name):
      let names = sent.flatMap { QueryItem.parse(String($0.url.drop { $0 != "?" }.dropFirst())) }.map(\.name)
      return Cassettes.nearest(to: name, among: names).map { .query($0) }
    case .json(let path):
      var paths: [String] = []
      for body in sent.flatMap({ [$0.requestBody, $0.responseBody] }).prefix(200) {
        guard let bytes = try? body?.bytes(), bytes.count < 1 << 20 else { continue }
        JSONScalars.each(in: bytes) { steps, _ in
          let path = RedactionUse.path(steps)
          if !paths.contains(path) { paths.append(path) }
        }
      }
      let same = paths.first { CassetteRedaction.Place.json($0).lastName == place.lastName }
      return (same ?? Cassettes.nearest(to: path, among: paths)).map { .json($0) }
    case .form, .value: return nil
    }
  }
}

extension CassetteRedaction.Place {
  /// The last name in the place, for the search in recordings.
  fileprivate var lastName: String {
    switch self {
    case .header(let name), .query(let name), .form(let name), .value(let name): name
    case .json(let path):
      path.split { ".[]'\"*$@?".contains($0) }.last.map(String.init) ?? path
    }
  }

  /// The place as Swift code: `.redacting(.json("$.iban"))`.
  var code: String {
    let (kind, name) = kindAndName
    return ".redacting(.\(kind)(\(String(decoding: JSONString.encode(name), as: UTF8.self))))"
  }

  /// The place as a command line option: `--redact 'json:$.iban'`.
  package var option: String {
    let (kind, name) = kindAndName
    return "--redact '\(kind):\(name.replacing("'", with: #"'\''"#))'"
  }

  private var kindAndName: (kind: String, name: String) {
    switch self {
    case .header(let name): ("header", name)
    case .query(let name): ("query", name)
    case .form(let name): ("form", name)
    case .json(let path): ("json", path)
    case .value(let text): ("value", text)
    }
  }
}
