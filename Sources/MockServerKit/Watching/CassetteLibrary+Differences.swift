import Cassettes

extension CassetteLibrary {
  /// Returns true if a cassette or a fixture was added, changed or removed since another state, not only another file
  /// in a folder.
  func recordingsDiffer(from other: CassetteLibrary) -> Bool {
    let isRecording = { (entry: (key: String, value: String)) in !entry.key.hasPrefix(Self.besideKey) }
    return signatures.filter(isRecording) != other.signatures.filter(isRecording)
  }

  /// Returns the cassettes and fixtures that were added, changed or removed since another state of the library.
  func files(differingFrom other: CassetteLibrary) -> [String] {
    var files: [String] = []
    for name in Set(signatures.keys).union(other.signatures.keys) where signatures[name] != other.signatures[name] {
      if name.hasPrefix(Self.besideKey) { continue }
      guard name.hasPrefix(Self.fixturesKey) else {
        let isCassette = { (cassette: Cassette) in cassette.name == name }
        files.append((cassettes.first(where: isCassette) ?? other.cassettes.first(where: isCassette))?.file ?? name)
        continue
      }
      let folder = String(name.dropFirst(Self.fixturesKey.count))
      let (new, old) = (fixtureFiles[folder] ?? [:], other.fixtureFiles[folder] ?? [:])
      let paths = Set(new.keys).union(old.keys).filter { new[$0]?.signature != old[$0]?.signature }
      files += paths.map { Folder.join(folder, $0) }
    }
    return files.sorted()
  }
}
