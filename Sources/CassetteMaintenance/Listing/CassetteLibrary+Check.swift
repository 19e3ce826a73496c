internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching
internal import CassetteSecrets
internal import CassetteSystem
package import Cassettes

extension CassetteLibrary {
  /// Reads folders and single cassettes strictly, and returns all problems in the order in which files would be played.
  static func check(_ paths: [String]) -> [CassetteError] {
    var problems: [CassetteError] = []
    var readable: [Cassette] = []
    var shadows = FixtureShadows()
    for path in Folder.distinct(paths) {
      switch Folder.resolvedKind(of: path) {
      case .missing: problems.append(CassetteError(file: path, message: "there is no such file or folder"))
      case .folder: check(folder: path, &problems, &readable, &shadows)
      case .file, .link: check(file: path, isSure: true, &problems, &readable)
      }
    }
    return problems + readable.flatMap(oddRequests) + readable.flatMap(unmetPaths) + unreachableStates(readable)
      + repeatedRequests(readable)
      + shadows.warnings(over: readable) + JournalName.warnings(in: Folder.distinct(paths))
  }

  private static func check(
    folder: String, _ problems: inout [CassetteError], _ readable: inout [Cassette], _ shadows: inout FixtureShadows
  ) {
    // The command line may name the folder of fixtures itself.
    if folder.split(separator: "/").last == "fixtures" {
      problems += Fixtures.read(folder).warnings
      return
    }
    let found = Folder.files(in: folder, skipping: ["fixtures", "bodies"])
    for link in found.links {
      problems.append(
        CassetteError(file: Folder.join(folder, link), message: "is a link and is skipped", severity: .warning))
    }
    for folder in found.unreadable.map({ Folder.join(folder, $0) }) {
      problems.append(
        CassetteError(file: folder, message: "cannot be read", suggestion: "chmod u+rx \(ShellWord.path(folder))"))
    }
    for file in found.files where file.hasSuffix(".json") {
      check(file: Folder.join(folder, file), isSure: false, isTop: !file.contains("/"), &problems, &readable)
    }
    let fixtures = Folder.join(folder, "fixtures")
    if Folder.resolvedKind(of: fixtures) == .folder {
      let found = Fixtures.read(fixtures)
      problems += found.warnings
      shadows.add(found.fixtures, in: fixtures)
    }
  }

  private static func check(
    file: String, isSure: Bool, isTop: Bool = false, _ problems: inout [CassetteError], _ readable: inout [Cassette]
  ) {
    do throws(CassetteError) {
      let bytes = try CassetteFile.bytes(of: file)
      guard isSure || Cassette.isCassette(bytes) || isTop && CassetteAttempt(bytes) != .none else {
        let warning = CassetteFile.skipped(file)
        if !problems.contains(warning) { problems.append(warning) }
        return
      }
      let name = CassetteFile.name(ofFile: file)
      let found = CassetteFile.problems(bytes: bytes, name: name, file: file)
      problems += found
      guard !found.contains(where: { $0.severity == .error }) else { return }
      let cassette = try CassetteFile.read(bytes: bytes, name: name, file: file)
      if hasOnlyCRLF(bytes) { problems += convertedBodies(of: cassette) }
      readable.append(cassette)
    } catch {
      problems.append(error)
    }
  }

  /// Returns true if a file has lines, and all end with CRLF.
  private static func hasOnlyCRLF(_ bytes: [UInt8]) -> Bool {
    bytes.contains(10) && bytes.indices.allSatisfy { bytes[$0] != 10 || $0 > 0 && bytes[$0 - 1] == 13 }
  }

  /// Returns warnings about body files with the line ends of a cassette that git has converted (`core.autocrlf`).
  private static func convertedBodies(of cassette: Cassette) -> [CassetteError] {
    let attributes = Folder.join(Folder.parent(of: cassette.file ?? ""), "bodies/.gitattributes")
    guard Folder.kind(of: attributes) == .missing else { return [] }
    return cassette.interactions.compactMap { interaction in
      guard let place = interaction.place, let body = interaction.response?.body, case .file(let file) = body.form,
        let bytes = try? body.bytes(), hasOnlyCRLF(bytes)
      else { return nil }
      return CassetteError(
        place, "the lines of \(file) end with CRLF like those of the cassette, so that git may have converted them",
        "to keep the line ends of bodies: mockserver git install, then check out the file again", severity: .warning)
    }
  }

  /// Returns a warning for each request in two cassettes: the cassette whose file name sorts first plays first.
  ///
  /// Cassettes of tests, in folders named `Cassettes`, never play together.
  private static func repeatedRequests(_ all: [Cassette]) -> [CassetteError] {
    let cassettes = all.filter { cassette in
      !(cassette.interactions.first?.place?.file.split(separator: "/").contains("Cassettes") ?? false)
    }
    guard cassettes.count > 1 else { return [] }
    var index = RequestIndex(capacity: cassettes.reduce(0) { $0 + $1.interactions.count })
    var owners: [(cassette: Int, interaction: Interaction)] = []
    for (number, cassette) in cassettes.enumerated() {
      // Recordings with rules may share a request line and still answer different requests.
      for interaction in cassette.interactions where interaction.rules == nil {
        interaction.withRequestLine { method, url in
          RecordedTarget.withPathAndQuery(url) { index.append(method: method, target: $0) }
        }
        owners.append((number, interaction))
      }
    }
    var warnings: [CassetteError] = []
    for group in index.groups.indices where index.groups[group].count > 1 {
      var firsts: [RecordedRequestKey: (cassette: Int, interaction: Interaction)] = [:]
      for member in index.members(of: group) {
        let later = owners[member].interaction
        let key = RecordedRequestKey(later, .withoutGenerated)
        guard let first = firsts[key] else {
          firsts[key] = owners[member]
          continue
        }
        guard owners[member].cassette != first.cassette, let place = later.place, !later.isLike(first.interaction)
        else { continue }
        let request = "\(later.method) \(SecretNames.masked(url: later.pathAndQuery))"
        let other = first.interaction.place.map { " (\($0.file):\($0.line))" } ?? ""
        warnings.append(
          CassetteError(
            file: place.file, line: place.line, column: place.column,
            message: "\(request) is also recorded in \"\(cassettes[first.cassette].name)\"\(other), which plays first",
            severity: .warning))
        break
      }
    }
    return warnings.sorted { ($0.file, $0.line) < ($1.file, $1.line) }
  }
}

/// The fixtures that hide recordings of the same path.
struct FixtureShadows {
  private var fixtures: [(file: String, interaction: Interaction)] = []

  /// Adds the fixtures of a folder, except path templates, which recordings take precedence over.
  mutating func add(_ fixtures: [Interaction], in folder: String) {
    for fixture in fixtures where PathTemplate(fixture.url) == nil {
      self.fixtures.append((Folder.join(folder, fixture.id), fixture))
    }
  }

  /// Returns a warning for each fixture whose path also has recordings.
  func warnings(over cassettes: [Cassette]) -> [CassetteError] {
    guard !fixtures.isEmpty else { return [] }
    var shadowed: [String: [Interaction]] = [:]
    for fixture in fixtures { shadowed[Self.key(of: fixture.interaction)] = [] }
    for cassette in cassettes {
      for recording in cassette.interactions { shadowed[Self.key(of: recording)]?.append(recording) }
    }
    return fixtures.compactMap { fixture in
      guard let recordings = shadowed[Self.key(of: fixture.interaction)], let first = recordings.first else {
        return nil
      }
      let request = "\(fixture.interaction.method) \(fixture.interaction.url)"
      let count = recordings.count == 1 ? "a recording" : "\(recordings.count) recordings"
      let place = first.place.map { " (\($0.file):\($0.line)\(recordings.count > 1 ? " …" : ""))" } ?? ""
      return CassetteError(
        file: fixture.file, message: "answers \(request) before \(count)\(place): fixtures ignore the query",
        severity: .warning)
    }
  }

  /// Returns the method and the path, without the query.
  private static func key(of interaction: Interaction) -> String {
    let path = interaction.pathAndQuery.prefix { $0 != "?" }
    return "\(interaction.method) \(CanonicalTarget.spelling(of: String(path)))"
  }
}

extension CassetteLibrary {
  /// Returns warnings about recordings that probably no request matches.
  static func oddRequests(_ cassette: Cassette) -> [CassetteError] {
    cassette.interactions.flatMap { interaction -> [CassetteError] in
      guard let place = interaction.place else { return [] }
      var warnings: [CassetteError] = []
      var methods = [interaction.method]
      if case .listed(let listed) = interaction.rules?.match.methods { methods += listed }
      for method in methods.map(\.rawValue) {
        let upper = method.uppercased()
        guard method != upper, commonMethods.contains(upper) || upper == "ANY" else { continue }
        warnings.append(
          CassetteError(
            place, "the method \"\(method)\" is not \"\(upper)\": case matters (RFC 9110 §9.1)",
            "did you mean \"\(upper)\"?", severity: .warning))
      }
      if let gap = interaction.failure?.gap {
        warnings.append(
          CassetteError(
            place, "its response was \(gap)",
            "record it again, or replace the failure with a \"response\"; until then, a request for it is a miss",
            severity: .warning))
      }
      let path = interaction.pathAndQuery.prefix { $0 != "?" }
      if path == "/__mock" || path.hasPrefix("/__mock/") {
        let message = "\(path) is never played: the server itself answers requests to /__mock/"
        warnings.append(CassetteError(place, message, severity: .warning))
      }
      let match = interaction.match
      if match.path == nil, match.url == nil, !path.contains("{{"), PathTemplate(String(path)) != nil {
        warnings.append(
          CassetteError(
            place, "the braces in \(path) are compared as text",
            "for any value, add \"match\": {\"path\": \"\(path)\"}",
            severity: .warning))
      }
      return warnings
    }
  }

  /// Returns warnings about ignored paths that select nothing in the recorded bodies they apply to.
  static func unmetPaths(_ cassette: Cassette) -> [CassetteError] {
    let common = cassette.match.tolerance.ignored
    var unmet: Set<JSONQuery>?
    var warnings: [CassetteError] = []
    for interaction in cassette.interactions {
      let own = interaction.rules?.match ?? MatchRules()
      guard !common.isEmpty || !own.tolerance.ignored.isEmpty, !own.decidesBody,
        let bytes = try? interaction.requestBody?.bytes(), !bytes.isEmpty
      else { continue }
      let tolerance = own.over(cassette.match).tolerance
      let body = NormalBody(bytes, contentType: interaction.requestHeaders["Content-Type"], tolerance: tolerance)
      let here = Set(body.unmet)
      unmet = unmet?.intersection(here) ?? here
      for path in own.tolerance.ignored where here.contains(path) {
        guard let place = interaction.place else { continue }
        let message = "\"ignore\": \"\(path)\" selects nothing in the recorded body"
        warnings.append(CassetteError(place, message, severity: .warning))
      }
    }
    for path in common where unmet?.contains(path) ?? false {
      guard let file = cassette.file else { continue }
      let message = "\"ignore\": \"\(path)\" selects nothing in any recorded body"
      warnings.append(CassetteError(file: file, message: message, severity: .warning))
    }
    return warnings
  }

  private static let commonMethods: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT",
  ]

  /// Returns warnings about recordings that require a state which no recording sets.
  static func unreachableStates(_ cassettes: [Cassette]) -> [CassetteError] {
    var reached: [String: [String]] = [:]
    let all = cassettes.flatMap(\.interactions).filter { $0.rules?.replay.isEmpty == false }
    for interaction in all {
      for state in interaction.replay.then { reached[state.scenario, default: []].append(state.state) }
    }
    return all.flatMap { interaction in
      interaction.replay.when.compactMap { state -> CassetteError? in
        let states = reached[state.scenario] ?? []
        guard let place = interaction.place, state.state != ReplayRules.State.start, !states.contains(state.state)
        else { return nil }
        let meant = question(about: state.state, among: states + [ReplayRules.State.start])
        return CassetteError(
          place,
          "it requires \"\(state.scenario)\" to be \"\(state.state)\", but no \"then\" sets that state: a scenario "
            + "begins in \"\(ReplayRules.State.start)\"", meant, severity: .warning)
      }
    }
  }
}

extension JournalName {
  /// Returns the paths of cassettes that have a journal, in folders or among the given files; the cassettes themselves
  /// need not exist.
  package static func found(in paths: [String]) -> [String] {
    paths.flatMap { path -> [String] in
      if Folder.resolvedKind(of: path) == .folder {
        return Folder.files(in: path).files.filter { $0.hasSuffix(suffix) }
          .map { Folder.join(path, String($0.dropLast(suffix.count))) }
      }
      return Folder.resolvedKind(of: CassetteFileBytes.resolvingLink(path) + suffix) == .file ? [path] : []
    }
  }

  /// Returns a warning for each journal with unsaved exchanges in folders or next to cassettes.
  static func warnings(in paths: [String]) -> [CassetteError] {
    found(in: paths).map { cassette in
      CassetteError(
        file: cassette + suffix, message: "contains exchanges that a recorder has not saved yet",
        suggestion: "which mockserver serve and record merge once the recorder has stopped", severity: .warning)
    }
  }
}

/// Finds the cassettes among the files and folders of a command line.
package enum CassetteFileList {
  /// Returns the names of the cassettes below a folder.
  package static func files(in folder: String) -> [String] {
    Folder.files(in: folder, skipping: ["fixtures", "bodies"]).files.filter { name in
      name.hasSuffix(".json")
        && ((try? CassetteFile.bytes(of: Folder.join(folder, name))).map(Cassette.isCassette) ?? false)
    }
  }

  /// Returns the paths of all cassettes: files as given, and the cassettes below folders.
  static func files(of paths: [String]) -> [String] {
    Folder.distinct(paths).flatMap { path in
      Folder.resolvedKind(of: path) == .folder ? files(in: path).map { Folder.join(path, $0) } : [path]
    }
  }

  /// Writes a file atomically; a symbolic link keeps its target.
  package static func write(_ bytes: [UInt8], to path: String) throws(CassetteError) {
    do {
      try CassetteFileFolder.write(bytes, toFileAt: CassetteFileBytes.resolvingLink(path))
    } catch {
      throw CassetteError(file: path, message: error.message)
    }
  }
}
