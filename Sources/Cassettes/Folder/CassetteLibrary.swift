/// The cassettes of some folders and their fixtures: everything that a player plays.
public struct CassetteLibrary: Sendable {
  /// The cassettes, in the order of their file names.
  public private(set) var cassettes: [Cassette] = []
  /// The fixtures as exchanges, in the order of their paths.
  public private(set) var fixtures: [Interaction] = []
  /// The problems that do not prevent playing: files that are not cassettes, and links that were skipped.
  public private(set) var warnings: [CassetteError] = []
  /// The loaded files of fixtures, by their folder.
  package private(set) var fixtureFiles: [String: [String: FixtureFile]] = [:]
  /// True if a fixture was being written while it was read, so that it must be read again.
  package private(set) var isUnsettled = false
  /// The signature of each cassette's file when it was read, by the cassette's name.
  package private(set) var signatures: [String: String] = [:]
  /// True if new fixtures can appear: false for single files without fixtures, and for cassettes made in code.
  package var hasRoomForFixtures = true

  /// Creates a library of cassettes made in code.
  public init(cassettes: [Cassette] = [], fixtures: [Interaction] = []) {
    self.cassettes = cassettes
    self.fixtures = fixtures
  }

  /// The number of recordings, without fixtures.
  public var recordingCount: Int { cassettes.reduce(0) { $0 + $1.interactions.count } }

  /// Reads cassettes from folders and single files, strictly; throws the first error, with file, line and column.
  ///
  /// A file that is listed twice is read once, and a file that did not change since `previous` is not read again.
  /// Without `fixtures`, the folder `fixtures` in each of the folders is read.
  public static func load(
    _ paths: [String], fixtures: String? = nil, reusing previous: CassetteLibrary? = nil
  ) throws(CassetteError) -> CassetteLibrary {
    try load(paths, fixtures: fixtures, reusing: previous, activity: nil)
  }

  /// Reads folders and files strictly; `activity` returns whether a file is being written.
  package static func load(
    _ paths: [String], fixtures: String?, reusing previous: CassetteLibrary?, activity: FileActivity.Lookup?
  ) throws(CassetteError) -> CassetteLibrary {
    var library = CassetteLibrary()
    library.hasRoomForFixtures = fixtures != nil
    for path in Folder.distinct(paths) {
      if Folder.resolvedKind(of: path) == .missing {
        throw CassetteError(file: path, message: "the file or folder does not exist")
      }
      let isFolder = Folder.resolvedKind(of: path) == .folder
      guard isFolder else {
        try library.add(file: path, named: CassetteFile.name(ofFile: path), isSure: true, previous)
        continue
      }
      if fixtures == nil { library.hasRoomForFixtures = true }
      let found = Folder.files(in: path, skipping: ["fixtures"])
      for link in found.links { library.warn(Folder.join(path, link), "is a symbolic link and was skipped") }
      for folder in found.unreadable { library.warn(Folder.join(path, folder), "cannot be read and was skipped") }
      let isCassette = { (file: String) in
        file.hasSuffix(".json") && !file.split(separator: "/").dropLast().contains("bodies")
      }
      for file in found.files where isCassette(file) {
        try library.add(
          file: Folder.join(path, file), named: String(file.dropLast(5)), isSure: false, isTop: !file.contains("/"),
          previous)
      }
      library.note(found.files.filter { !isCassette($0) }, besideCassettesIn: path)
      if fixtures == nil, Folder.resolvedKind(of: Folder.join(path, "fixtures")) == .folder {
        library.add(fixturesIn: Folder.join(path, "fixtures"), previous, activity)
      }
    }
    if let fixtures {
      guard Folder.resolvedKind(of: fixtures) == .folder else {
        throw CassetteError(file: fixtures, message: "the folder does not exist")
      }
      library.add(fixturesIn: fixtures, previous, activity)
    }
    return library
  }

  /// Returns the names of the cassettes whose files are unchanged since another state of the library.
  package func unchangedSince(_ other: CassetteLibrary) -> Set<String> {
    Set(signatures.lazy.filter { other.signatures[$0.key] == $0.value }.map(\.key))
  }

  /// Returns true if any file was added, changed or removed since another state of the library.
  package func differs(from other: CassetteLibrary) -> Bool { signatures != other.signatures }

  /// The key of the signature of the files beside the cassettes of a folder, followed by the path of the folder.
  package static let besideKey = "files "
  /// The key of the signature of a folder of fixtures, followed by its path.
  package static let fixturesKey = "fixtures "

  /// The number of fixture files; one file may answer two paths.
  public var fixtureCount: Int { Set(fixtures.map(\.id)).count }

  private mutating func add(
    file: String, named name: String, isSure: Bool, isTop: Bool = false, _ previous: CassetteLibrary?
  ) throws(CassetteError) {
    let signature = "\(file) \(Folder.signature(of: file))"
    // Two folders may contain cassettes with the same name. Both are played; the second is named by its path.
    let name = signatures[name] == nil ? name : file
    let previously = previous?.signatures[name] == signature ? previous?.cassettes.first { $0.name == name } : nil
    func read() throws(CassetteError) -> Cassette? {
      if let kept = previously ?? RecentCassettes.cassette(named: name, signature) { return kept }
      let bytes = try CassetteFile.bytes(of: file)
      // A file that loaded before and is not a cassette any more is a broken edit, and reported as an error.
      func wasCassette() -> Bool { previous?.cassettes.contains { $0.file == file } ?? false }
      let isOurs = isSure || Cassette.isCassette(bytes) || wasCassette()
      guard isOurs || isTop && CassetteAttempt(bytes) == .sure else { return nil }
      let cassette = try CassetteFile.read(bytes: bytes, name: name, file: file)
      RecentCassettes.keep(cassette, signature, of: file, bytes: bytes.count)
      return cassette
    }
    guard let cassette = try RecentCassettes.inTurn(file, read) else {
      let warning = CassetteFile.skipped(file)
      if !warnings.contains(warning) { warnings.append(warning) }
      return
    }
    cassettes.append(cassette)
    warnings += cassette.warnings
    signatures[name] = signature
  }

  private mutating func add(fixturesIn folder: String, _ previous: CassetteLibrary?, _ activity: FileActivity.Lookup?) {
    let found = Fixtures.read(folder, reusing: previous?.fixtureFiles[folder] ?? [:], activity)
    signatures["\(Self.fixturesKey)\(folder)"] = found.signature
    fixtureFiles[folder] = found.files
    isUnsettled = isUnsettled || found.isUnsettled
    fixtures += found.fixtures
    warnings += found.warnings
  }

  /// Adds body files to the signatures, because answers made from a body are outdated after its file was written.
  private mutating func note(_ files: [String], besideCassettesIn folder: String) {
    guard !files.isEmpty else { return }
    signatures["\(Self.besideKey)\(folder)"] = files.map { "\($0) \(Folder.signature(of: Folder.join(folder, $0)))" }
      .joined(separator: "\n")
  }

  private mutating func warn(_ file: String, _ message: String) {
    warnings.append(CassetteError(file: file, message: message, severity: .warning))
  }
}
