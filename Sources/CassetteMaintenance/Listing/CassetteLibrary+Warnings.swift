internal import CassetteHTTP
package import Cassettes

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
            "record it again, or replace the failure with a \"response\"; until then its turn is a miss",
            severity: .warning))
      }
      let path = interaction.pathAndQuery.prefix { $0 != "?" }
      if path == "/__mock" || path.hasPrefix("/__mock/") {
        let message = "\(path) is never played: the server itself answers requests to /__mock/"
        warnings.append(CassetteError(place, message, severity: .warning))
      }
      return warnings
    }
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
  package static func warnings(in paths: [String]) -> [CassetteError] {
    found(in: paths).map { cassette in
      CassetteError(
        file: cassette + suffix, message: "contains exchanges that a recorder has not saved yet",
        suggestion: "which mockserver serve and record merge once the recorder has stopped", severity: .warning)
    }
  }
}
