internal import CassetteJSON
internal import CassetteSystem
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
    let recognized: CassetteFormat.Recognized
    do throws(CassetteError) {
      recognized = try CassetteFormat.recognize(path)
    } catch {
      throw try CassetteFile.foreignFile(CassetteFile.bytes(of: path), path, isImported: true) ?? error
    }
    switch recognized {
    case .format(let format): return ImportSource(format: format, paths: [path], name: name, label: path)
    case .cassette:
      throw CassetteError(
        file: path, message: "is already a cassette",
        suggestion: "serve it with: mockserver --cassettes \(ShellWord.path(path))")
    case .unknown:
      let names = CassetteFormat.allCases.map(\.name).joined(separator: ", ")
      throw try CassetteFile.foreignFile(CassetteFile.bytes(of: path), path, isImported: true)
        ?? CassetteError(file: path, line: 1, column: 1, message: "is in none of these formats: \(names)")
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

  /// Reads the recordings in order; calls `check` before each.
  ///
  /// A skipped recording whose request was read is replaced by a placeholder, unless only its body is missing, and another
  /// recording has a response of the same status to the same request.
  func read(_ check: () -> Void = {}) throws(CassetteError) -> Content {
    var content = Content()
    switch format {
    case .wiremock: try WireMockReader.read(self, &content)
    case .postman: for path in paths { try PostmanReader.read(path, &content) }
    case .har, .vcr, .nock, .hoverfly, .dvr: for path in paths { try read(path, &content, check) }
    }
    return content
  }

  private func read(
    _ path: String, _ content: inout Content, _ check: () -> Void
  ) throws(CassetteError) {
    let file = try SourceFile(path)
    let whole = file.source
    let list = format.reading.places.lazy.compactMap { place -> SourceValue? in
      place.reduce(whole) { $0?[$1] }.flatMap { $0.isArray ? $0 : nil }
    }.first
    guard let list else {
      let places = format.reading.places.filter { !$0.isEmpty }.map { $0.joined(separator: ".") }
      throw CassetteError(
        file: path, line: 1, column: 1,
        message: "not a recording of \(format.name): the list \(places.joined(separator: " or ")) is missing")
    }
    if format == .har {
      content.origin = whole["log"]?[HARExtension.name].flatMap { HARExtension.origin($0, &content.notes) }
    }
    var (line, last) = (file.line, file.value)
    /// The placeholders of recordings without a body, with the keys of the responses that may replace them.
    var uncaptured: [Int: Int] = [:]
    for (index, element) in list.elements.enumerated() {
      check()
      line += element.json.lines(below: last)
      last = element.json
      let place = SourcePlace(file: path, line: line, column: 1)
      content.count += 1
      content.notes.begin(element, at: place)
      do {
        content.recordings.append((try interaction(of: element, &content.notes), place))
        content.notes.leaveUnused(of: element, in: format)
      } catch {
        guard let gap = try content.skip("\(format.reading.item) \(index)", at: place, error) else { continue }
        if error.isUncaptured, let status = content.notes.asked?.status {
          uncaptured[content.recordings.count] = gap.answerKey(status)
        }
        content.recordings.append((gap, place))
      }
    }
    list.use()
    content.notes.begin(whole, at: SourcePlace(file: path, line: file.line, column: 1))
    content.notes.leaveUnused(of: whole, in: format)
    defer { if format == .har, content.origin == nil { content.sortByStart() } }
    guard !uncaptured.isEmpty else { return }
    let captured = Set(content.recordings.compactMap { $0.interaction.status.map($0.interaction.answerKey) })
    content.recordings = content.recordings.enumerated().filter { index, _ in
      uncaptured[index].map { !captured.contains($0) } ?? true
    }.map(\.element)
  }

  private func interaction(
    of element: SourceValue, _ notes: inout ImportNotes
  ) throws(Unusable) -> Interaction {
    switch format {
    case .har: try HARReader.interaction(of: element, &notes)
    case .vcr: try VCRReader.interaction(of: element, &notes)
    case .nock: try NockReader.interaction(of: element, &notes)
    case .hoverfly: try HoverflyReader.interaction(of: element, &notes)
    case .dvr: try DVRReader.interaction(of: element, &notes)
    case .wiremock, .postman: throw Unusable("it must be imported as a separate file")
    }
  }
}
