internal import CassetteSecrets
package import Cassettes

extension CassetteLibrary {
  /// Reads folders and single cassettes strictly, and returns all problems in the order in which files would be played.
  package static func check(_ paths: [String]) -> [CassetteError] {
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
    return problems + readable.flatMap(oddRequests) + unreachableStates(readable) + repeatedRequests(readable)
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
      problems.append(CassetteError(file: folder, message: "cannot be read", suggestion: "chmod u+rx \(folder)"))
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
        let message = "has no \"cassette\" key and is skipped"
        problems.append(CassetteError(file: file, message: message, severity: .warning))
        return
      }
      let name = CassetteFile.name(ofFile: file)
      let found = CassetteFile.problems(bytes: bytes, name: name, file: file)
      problems += found
      guard !found.contains(where: { $0.severity == .error }) else { return }
      readable.append(try CassetteFile.read(bytes: bytes, name: name, file: file))
    } catch {
      problems.append(error)
    }
  }

  /// Returns a warning for each request in two cassettes: the cassette whose file name sorts first plays first.
  private static func repeatedRequests(_ cassettes: [Cassette]) -> [CassetteError] {
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
      let members = index.members(of: group)
      let first = owners[members[0]]
      for member in members.dropFirst() where owners[member].cassette != first.cassette {
        let later = owners[member].interaction
        guard let place = later.place, !later.isLike(first.interaction) else { continue }
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
