package import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem
package import Cassettes

/// All entries that can be played, numbered and indexed; built once from a library and immutable.
package final class RecordingTable: Sendable {
  /// A recording and its cassette.
  package struct Entry: Sendable {
    package let interaction: Interaction
    /// The cassette's name, or `fixtures`.
    package let cassette: String
    /// The origin of the recording's relative URL, in canonical form.
    package let origin: String?
    /// True if the entry is a file of `fixtures/` or a resource, rather than a recording.
    package let isFixture: Bool
    /// The level at which requests are compared with the entry.
    var level = MatchLevel.careful
    /// The position in the cursors of sessions, unique during the life of a deck; negative for a stub that was added
    /// during playback.
    var position = 0
    /// The order of added stubs: a stub with a greater number takes precedence.
    var turn = 0

    /// The cassette's name and the recording's id.
    var name: String { "\(cassette)\n\(interaction.id)" }

    /// True if the entry is a stub that was added during playback.
    var isAdded: Bool { position < 0 }

    /// True if a test wrote the entry in code, so that it may answer repeatedly.
    ///
    /// The place of a recording that was read from a file is not computed here: finding the first one in a file of
    /// 10,000 recordings takes 14 ms.
    var isStub: Bool {
      isAdded || interaction.source == nil && interaction.place?.file.hasSuffix(".swift") ?? false
    }
  }

  package let entries: [Entry]
  /// The lowest position that no earlier table used.
  private let firstPosition: Int
  package let origins: OriginRewriter
  /// The time of loading, in seconds since 1970.
  package let loaded: Int = time(nil)
  private let attached = Locked<(any AnyObject & Sendable)?>(nil)
  /// The values that are sent in place of secrets.
  private let standIns: StandIns
  let index: RequestIndex
  let hasRoomForFixtures: Bool
  /// The stateful resources of the cassettes.
  package let resources: [TableResource]
  /// The file of the first cassette that has one.
  let file: String?
  /// The request that first played each recording, without a lock because event loops share the marks; 0 for none.
  private let marks: Counters
  /// The recording that always answers, for each group; -1 if there is none.
  private let soleEntries: [Int32]
  /// The condition on credentials under which that recording answers, for each group.
  private let demands: [CredentialDemand]
  /// The recorded request bodies in normal form.
  let bodies = RecordedBodies()
  /// The fields in which recordings of one request differ.
  let fields = RecordedFields()
  /// The changes that preceded answers.
  let changes = RecordedChanges()
  /// The recordings that match any secret in place of the redacted one.
  private let secretTargets: SecretTargets
  /// The fixtures by method and literal path, in its canonical spelling.
  private let fixtures: [String: Int]
  private let fixtureTemplates: [(template: PathTemplate, entry: Int)]
  /// The recordings with rules for their target.
  let ruleIndex: RuleIndex
  /// The replay rules of the entries that have some.
  let plays: [Int: ReplayRules]
  /// The matching rules of the entries that have some.
  private let matches: [Int: MatchRules]
  let times = RecordedTimes()
  /// The answers that are rendered for each request; nil if no answer is a template.
  package let templates: (any TableTemplates)?
  /// All methods of recordings, fixtures and rules.
  let methods: [HTTPMethod]

  /// Creates a table.
  ///
  /// - `isDefault`: True if a file's matching level overrides the level of `matching`.
  /// - `secrets`: The secrets that replace aliases, by number; stand-ins replace all others.
  /// - `added`: The rank and the cursor positions of stubs added during playback, by cassette; the greater rank takes
  ///   precedence.
  /// - `same`: The unchanged cassettes of the previous table. Their recordings keep their positions in cursors, and so do
  ///   the unchanged recordings of other cassettes.
  package init(
    _ library: CassetteLibrary, _ matching: CassetteMatchingOptions = CassetteMatchingOptions(), isDefault: Bool = true,
    secrets: [Int: String] = [:], added: [(rank: Int, positions: [Int])] = [],
    after old: RecordingTable? = nil, same: Set<String> = []
  ) {
    let firstPosition = old.map { $0.firstPosition + $0.entries.count } ?? 0
    self.firstPosition = firstPosition
    var kept: [String: Entry] = [:]
    for entry in old?.entries ?? [] where !entry.isFixture { kept[entry.name] = entry }
    let standIns = StandIns(secrets)
    self.standIns = standIns
    var entries: [Entry] = []
    entries.reserveCapacity(library.recordingCount + library.fixtures.count)
    var index = RequestIndex(capacity: library.recordingCount + library.fixtures.count)
    var origins: Set<String> = []
    var secretTargets = SecretTargets()
    var ruleIndex = RuleIndex()
    var plays: [Int: ReplayRules] = [:]
    var matches: [Int: MatchRules] = [:]
    var hasTemplates = false
    for (number, cassette) in library.cassettes.enumerated() {
      let home = cassette.origin.map { RecordedTarget.canonicalOrigin($0) }
      let level = (isDefault ? cassette.matching ?? matching.level : matching.level ?? cassette.matching) ?? .careful
      let common = isDefault ? cassette.match.over(matching.rules) : matching.rules.over(cassette.match)
      if let home { origins.insert(home) }
      for (offset, interaction) in cassette.interactions.enumerated() {
        var match = common
        if let rules = interaction.rules {
          match = rules.match.over(common)
          if !rules.replay.isEmpty { plays[entries.count] = rules.replay }
        }
        if !match.isEmpty { matches[entries.count] = match }
        hasTemplates = hasTemplates || interaction.isTemplate
        let isRuled = match.concernsTarget
        if isRuled { ruleIndex.append(entry: entries.count, interaction, match) }
        let (foreign, hasPlaceholder) = interaction.withRequestLine { method, url in
          let hasPlaceholder = SecretPlaceholders.mayBeIn(url)
          if isRuled {
            // A key that no request has, so that entries and index keep the same numbering.
            index.append(method: Self.unasked.span, target: Array("\(entries.count)".utf8).span)
          } else {
            // Clients send the stand-in that they received.
            let given = hasPlaceholder ? standIns.rendered(interaction.pathAndQuery) : nil
            if let given {
              given.withUTF8Span { index.append(method: method, target: $0) }
            } else {
              RecordedTarget.withPathAndQuery(url) { index.append(method: method, target: $0) }
            }
          }
          return (RecordedTarget.originLength(url) > 0, hasPlaceholder)
        }
        if hasPlaceholder, !isRuled {
          secretTargets.append(
            entry: entries.count, method: interaction.method.rawValue, target: interaction.pathAndQuery)
        }
        let origin = foreign ? RecordedTarget.origin(of: interaction.url) : home
        if foreign, let origin { origins.insert(origin) }
        let stubs = number < added.count ? added[number] : nil
        entries.append(
          Entry(
            interaction: interaction, cassette: cassette.name, origin: origin, isFixture: false, level: level,
            position: stubs?.positions[offset] ?? firstPosition + entries.count, turn: stubs?.rank ?? 0))
      }
    }
    var fixtures: [String: Int] = [:]
    var fixtureTemplates: [(template: PathTemplate, entry: Int)] = []
    for fixture in library.fixtures {
      let number = entries.count
      entries.append(
        Entry(
          interaction: fixture, cassette: "fixtures", origin: nil, isFixture: true, position: firstPosition + number))
      if let template = PathTemplate(fixture.url) {
        fixtureTemplates.append((template, number))
        // A key that no request has, so that entries and index keep the same numbering.
        index.append(method: Self.unasked.span, target: Array("\(number)".utf8).span)
      } else {
        fixtures["\(fixture.method.rawValue) \(CanonicalTarget.spelling(of: fixture.url))"] = number
        fixture.withRequestLine { method, url in index.append(method: method, target: url) }
      }
    }
    var resources: [TableResource] = []
    for cassette in library.cassettes {
      for definition in cassette.resources {
        let resource = TableResource(
          entry: entries.count,
          position: (same.contains(cassette.name) ? kept["\(cassette.name)\n\(definition.paths[0])"]?.position : nil)
            ?? firstPosition + entries.count, definition, of: cassette)
        if let origin = resource.origin { origins.insert(origin) }
        index.append(method: Self.unasked.span, target: Array("\(entries.count)".utf8).span)
        entries.append(resource.tableEntry)
        resources.append(resource)
      }
    }
    if !kept.isEmpty {
      for number in entries.indices {
        // Two recordings may have the same name: each position is used once.
        guard let before = kept.removeValue(forKey: entries[number].name) else { continue }
        let isUnchanged =
          same.contains(before.cassette)
          || number < library.recordingCount && entries[number].interaction.isUnchanged(since: before.interaction)
        if isUnchanged { entries[number].position = before.position }
      }
    }
    self.resources = resources
    self.entries = entries
    hasRoomForFixtures = library.hasRoomForFixtures
    file = library.cassettes.lazy.compactMap(\.file).first
    self.index = index
    self.fixtures = fixtures
    self.fixtureTemplates = fixtureTemplates.sorted {
      ($1.template.literals, $0.entry) < ($0.template.literals, $1.entry)
    }
    self.origins = OriginRewriter(origins: origins.sorted())
    marks = Counters(count: entries.count)
    self.secretTargets = secretTargets
    let spoken = index.methods.filter { $0.first != UInt8(ascii: " ") }
      .map { HTTPMethod(rawValue: String(decoding: $0, as: UTF8.self)) }
    methods = Set(spoken + fixtureTemplates.map { entries[$0.entry].interaction.method }).union(ruleIndex.methods)
      .sorted { $0.rawValue < $1.rawValue }
    self.ruleIndex = ruleIndex
    (self.plays, self.matches) = (plays, matches)
    let templates =
      hasTemplates
      ? Engines.linked.templates?.templates(
        of: entries.map { entry in
          TemplateEntry(
            entry.interaction, cassette: entry.cassette, origin: entry.origin,
            path: RecordedChanges.path(of: entry.interaction.pathAndQuery))
        }, standIn: { standIns.rendered($0) }, created: CreatedName.of) : nil
    self.templates = templates
    let awaited = RecordedChanges.awaited(in: index, besides: secretTargets.paths)
    soleEntries = Self.soleEntries(index, entries, fixtures, ruleIndex) { group in
      let first = index.groups[group].first
      return awaited.contains(group) || plays[first] != nil || matches[first] != nil
        || templates?.concerns(first) == true
    }
    demands = soleEntries.map { CredentialDemand($0 < 0 ? nil : entries[Int($0)]) }
  }

  /// Returns the object that the table's player keeps with the table, such as its caches.
  ///
  /// - `make`: Creates the object on first use.
  package func attachment<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
    attached.withLock { attached in
      if let object = attached as? Object { return object }
      let object = make()
      attached = object
      return object
    }
  }

  /// A method that no request can have.
  private static let unasked = Array(" rule".utf8)

  /// Returns the only entry that answers a method and a target, if at most the presence of credentials is compared.
  ///
  /// A full comparison returns the same entry; this function allocates no string and takes no lock.
  @inline(__always)
  func sole(method: Span<UInt8>, target: Span<UInt8>, hasBody: Bool = false, hasCredentials: () -> Bool) -> Int? {
    guard let group = index.group(method: method, target: target) else { return nil }
    let entry = soleEntries[group]
    guard entry >= 0, !hasBody || !entries[Int(entry)].interaction.lacksRequestBody,
      !ruleIndex.concernsSpelling || isSpelledAsKnown(target, Int(entry))
    else { return nil }
    switch demands[group] {
    case .none: return Int(entry)
    case .present: return hasCredentials() ? Int(entry) : nil
    case .absent: return hasCredentials() ? nil : Int(entry)
    case .compared: return nil
    }
  }

  /// Returns the fixture of a literal path, for any query.
  func fixture(method: HTTPMethod, pathAndQuery: String) -> Int? {
    fixtures.isEmpty ? nil : fixtures["\(method.rawValue) \(Self.canonicalPath(of: pathAndQuery))"]
  }

  /// Returns the fixture whose template matches the path best.
  func template(method: HTTPMethod, pathAndQuery: String) -> Int? {
    guard !fixtureTemplates.isEmpty else { return nil }
    let path = Self.canonicalPath(of: pathAndQuery)
    return fixtureTemplates.first { entries[$0.entry].interaction.method == method && $0.template.matches(path) }?.entry
  }

  private static func canonicalPath(of pathAndQuery: String) -> String {
    CanonicalTarget.spelling(of: String(pathAndQuery.prefix { $0 != "?" }))
  }

  /// Returns the recordings of a method and a target, in recorded order.
  func candidates(method: HTTPMethod, pathAndQuery: String) -> [Int] {
    let group = index.group(method: method.rawValue, target: pathAndQuery)
    if let group { return index.members(of: group) }
    return secretTargets.entries(method: method.rawValue, target: pathAndQuery)
  }

  /// Returns the recordings whose method, target and rules match a request, and those whose rules could not be
  /// evaluated.
  ///
  /// - `narrowed`: True to omit recordings with another body if some recordings of the target have an equal body.
  func candidates(for request: RequestReading, method: HTTPMethod, narrowed: Bool = false)
    -> (entries: [Int], undecided: [Int], isNarrowed: Bool)
  {
    let all = candidates(method: method, pathAndQuery: request.request.pathAndQuery)
    let equal = narrowed ? bodies.equal(to: request, among: all, in: self) : nil
    let found = equal ?? all
    if matches.isEmpty { return (found, [], equal != nil) }
    var undecided: [Int] = []
    let entries = (found + ruleIndex.entries(for: request, method: method)).filter { entry in
      switch rules(of: entry)?.verdict(on: request, self.entries[entry].interaction) ?? .met {
      case .met: return true
      case .unmet: return false
      case .undecided:
        undecided.append(entry)
        return false
      }
    }
    return (entries.sorted(), undecided, equal != nil)
  }

  /// Returns the recordings of a request's method and target, or nil, and all recordings whose rules may accept it.
  package func tried(for request: HTTPRequest) -> (recorded: [Int]?, ruled: [Int]) {
    let target = request.pathAndQuery
    let group = index.group(method: request.method.rawValue, target: target).map { index.members(of: $0) }
    return (group, (matches.isEmpty ? [] : group ?? []) + ruleIndex.entries(for: target))
  }

  /// Returns the matching rules of an entry; its own rules override those of its cassette.
  package func rules(of entry: Int) -> MatchRules? { matches.isEmpty ? nil : matches[entry] }

  /// Returns the values sent in place of an entry's secrets; nil for a fixture, whose file is sent unchanged.
  func standIns(of entry: Int) -> StandIns? {
    entries[entry].isFixture && !isResource(entry) ? nil : standIns
  }

  /// Returns the replay rules of an entry, if it has any.
  func replay(of entry: Int) -> ReplayRules? { plays.isEmpty ? nil : plays[entry] }

  /// Returns true if an entry's answer is generated for each request.
  func isTemplate(_ entry: Int) -> Bool { templates?.concerns(entry) == true }

  /// The changes that entries' answers depend on, by number, as determined from the cassettes alone.
  package var changesAwaited: [Int: Int] { changes.causes(in: self) }

  /// Returns true if any entry answers a method and a target, among the recordings that satisfy `mayAnswer`.
  func answers(method: HTTPMethod, pathAndQuery: String, where mayAnswer: (Int) -> Bool) -> Bool {
    candidates(method: method, pathAndQuery: pathAndQuery).contains(where: mayAnswer)
      || ruleIndex.accepts(method: method, target: pathAndQuery, where: mayAnswer)
      || fixture(method: method, pathAndQuery: pathAndQuery) != nil
      || template(method: method, pathAndQuery: pathAndQuery) != nil
  }

  /// Returns true if any recording is from another origin.
  func hasOtherOrigins(than origin: String?) -> Bool {
    origin.map { !origins.hasNoneBut($0) } ?? false
  }

  /// Returns the number of the request that first played an entry.
  package func firstPlayed(_ entry: Int) -> UInt64? {
    let request = marks.value(entry)
    return request == 0 ? nil : UInt64(request)
  }

  /// Marks an entry as played by a request; later calls for the same entry only read the mark.
  @inline(__always)
  package func mark(_ entry: Int, by request: UInt64) {
    guard marks.value(entry) == 0 else { return }
    marks.replace(0, with: Int(request), at: entry)
  }
}

/// Reports of the recordings that have played, and their order.
extension RecordingTable {
  /// The number of entries that are recordings of cassettes.
  package var recordingCount: Int { entries.count { !$0.isFixture } }

  /// The recordings that no request has played, without fixtures.
  package var neverPlayed: [Int] { entries.indices.filter { !entries[$0].isFixture && firstPlayed($0) == nil } }

  /// Returns the pairs of recordings of one cassette that were first requested in an order other than recorded.
  ///
  /// The second recording of each pair was recorded after the first, but requested before it.
  ///
  /// - `withRules`: True to include recordings with rules.
  package func outOfOrder(withRules: Bool) -> [(first: Int, second: Int)] {
    var pairs: [(first: Int, second: Int)] = []
    var latest: (entry: Int, request: UInt64)?
    for number in entries.indices where !entries[number].isFixture {
      // Recordings with rules have no place in an order, unless a test defines one.
      if !withRules, rules(of: number) != nil || replay(of: number)?.when.isEmpty == false { continue }
      guard let request = firstPlayed(number) else { continue }
      if let latest, entries[latest.entry].cassette == entries[number].cassette, request < latest.request {
        pairs.append((latest.entry, number))
      } else {
        latest = (number, request)
      }
    }
    return pairs
  }

  /// The number of files in `fixtures/`; one file may answer two paths.
  package var fixtureCount: Int {
    Set(
      entries.indices.lazy.filter { self.entries[$0].isFixture && !self.isResource($0) }.map {
        self.entries[$0].interaction.id
      }
    ).count
  }
}

/// Finding recordings that answer regardless of the rest of a request.
extension RecordingTable {
  /// Returns for each group the entry that answers regardless of the rest of a request, except credentials.
  ///
  /// The entry is a fixture of the group's path, or a single recording that repeats and compares only the target.
  static func soleEntries(
    _ index: RequestIndex, _ entries: [Entry], _ fixtures: [String: Int], _ ruleIndex: RuleIndex,
    _ isRuled: (Int) -> Bool
  ) -> [Int32] {
    var shadows: [ArraySlice<UInt8>: Int] = [:]
    for (key, entry) in fixtures { shadows[Array(key.utf8)[...]] = entry }
    return index.groups.enumerated().map { number, group in
      if !shadows.isEmpty, let fixture = shadows[index.pathKey(of: group)] {
        return mayEcho(entries[fixture].interaction) ? -1 : Int32(fixture)
      }
      let entry = entries[group.first]
      guard group.count == 1, !isRuled(number), entry.level != .exact,
        entry.interaction.repeatPolicy != .once, !entry.interaction.hasRequestBody,
        !entry.interaction.hasUnknownRequestBody, !FieldComparison.selectsOperation(entry.interaction),
        !ConditionalAnswer.isOne(entry.interaction), entry.interaction.failure?.gap == nil,
        !mayEcho(entry.interaction)
      else { return -1 }
      if !ruleIndex.isEmpty {
        let (method, target) = index.request(of: group)
        // A request for the group has one of these spellings, or is compared in full.
        for spelling in Set([target, entry.interaction.pathAndQuery])
        where ruleIndex.mayAnswer(method: HTTPMethod(rawValue: method), target: spelling) { return -1 }
      }
      return Int32(group.first)
    }
  }

  /// Returns the only entry that answers a method and a target, given as strings.
  package func sole(_ method: String, _ target: String, hasBody: Bool = false, hasCredentials: () -> Bool) -> Int? {
    method.withUTF8Span { method in
      target.withUTF8Span { text in
        RecordedTarget.withPathAndQuery(text) {
          sole(method: method, target: $0, hasBody: hasBody, hasCredentials: hasCredentials)
        }
      }
    }
  }

  /// True if an answer may contain a JSON-RPC message, whose `id` has to be copied from the request body.
  ///
  /// Always true for a body in a file, because the file may change after loading.
  private static func mayEcho(_ interaction: Interaction) -> Bool {
    guard interaction.method != .get, interaction.method != .head, let body = interaction.responseBody else {
      return false
    }
    guard body.lyingPlace == nil, let bytes = try? body.bytes() else { return true }
    return CallEcho.mayConcern(bytes)
  }

  /// Returns true if a target is spelled like its key in the index, or like the recording: rules were checked for both.
  func isSpelledAsKnown(_ target: Span<UInt8>, _ entry: Int) -> Bool {
    CanonicalTarget.isPlain(target)
      || entries[entry].interaction.withRequestLine { _, url in
        RecordedTarget.withPathAndQuery(url) { $0.equals(target) }
      }
  }
}
