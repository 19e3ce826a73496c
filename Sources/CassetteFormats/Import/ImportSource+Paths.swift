import Cassettes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ImportSource {
  /// Returns the sources for paths from the command line, with unique names for their cassettes.
  static func sources(of paths: [String], as format: CassetteFormat?) throws(CassetteError) -> [ImportSource] {
    var sources: [ImportSource] = []
    var names: Set<String> = []
    var roots: [String: Int] = [:]
    for path in paths {
      var source = try source(of: path, as: format)
      // WireMock mappings in the same folder are one set of recordings.
      if source.format == .wiremock, let root = WireMockReader.root(of: path) {
        if let index = roots[root] {
          sources[index].paths += source.paths
          sources[index].label = root
          continue
        }
        roots[root] = sources.count
        source.name = TypedFileName.name(of: lastStep(of: root))
      }
      var number = 2
      let folder = lastStep(of: Folder.parent(of: path))
      // With many tools, recordings have the same file name in different folders.
      var name = source.name
      if names.contains(name.lowercased()), folder != ".", folder != ".." {
        name = TypedFileName.name(of: "\(folder)-\(name)")
      }
      let base = name
      while !names.insert(name.lowercased()).inserted {
        name = "\(base)-\(number)"
        number += 1
      }
      source.name = name
      sources.append(source)
    }
    return sources
  }

  /// The total size of all files in bytes.
  var size: Int {
    paths.reduce(0) { sum, path in
      sum + ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0)
    }
  }

  private static func source(of path: String, as format: CassetteFormat?) throws(CassetteError) -> ImportSource {
    if Folder.resolvedKind(of: path) == .folder {
      let mappings = WireMockReader.mappings(in: path)
      guard !mappings.isEmpty, format == nil || format == .wiremock else {
        throw CassetteError(
          file: path, message: "is a folder without WireMock mappings",
          suggestion: "name its files: \(Folder.join(path, "*"))")
      }
      return ImportSource(
        format: .wiremock, paths: mappings, name: TypedFileName.name(of: lastStep(of: path)), label: path)
    }
    let name = TypedFileName.name(of: stem(of: path))
    if let format { return ImportSource(format: format, paths: [path], name: name, label: path) }
    switch try CassetteFormat.recognize(path) {
    case .format(let format): return ImportSource(format: format, paths: [path], name: name, label: path)
    case .cassette:
      throw CassetteError(
        file: path, message: "is already a cassette", suggestion: "serve it with: mockserver --cassettes \(path)")
    case .unknown:
      let names = CassetteFormat.allCases.map(\.name).joined(separator: ", ")
      throw CassetteError(file: path, line: 1, column: 1, message: "is in none of these formats: \(names)")
    }
  }

  private static func lastStep(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? "recordings"
  }

  /// Returns the name of a file without its folder and extension.
  private static func stem(of path: String) -> String {
    let name = lastStep(of: path)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }
}
