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
        file: path, message: "is already a cassette",
        suggestion: "serve it with: mockserver --cassettes \(ShellWord.path(path))")
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

  /// Reads the recordings in order.
  ///
  /// A skipped recording whose request was read is passed on as a placeholder. It is left out if only its body is
  /// missing, and `captured` contains a response of the same status to the same request.
  ///
  /// - `findsUnknown`: True to note unknown members. Default: false.
  func each(
    findsUnknown: Bool = false, captured: Set<Int> = [], progress: (Int) -> Void = { _ in }, _ use: Use
  ) throws(CassetteError) -> Result {
    var result = Result()
    result.captured = captured
    result.notes.findsUnknown = findsUnknown
    switch format {
    case .wiremock: try WireMockReader.each(self, &result, use)
    case .postman: try PostmanReader.each(self, &result, use)
    case .har, .vcr, .nock, .hoverfly, .dvr:
      for path in paths { try stream(path, &result, progress, use) }
    }
    return result
  }

  private func stream(
    _ path: String, _ result: inout Result, _ progress: (Int) -> Void, _ use: Use
  ) throws(CassetteError) {
    var feed = try RecordingFeed.open(path)
    var found = false
    let before = result
    for place in format.reading.places where !found {
      feed = try RecordingFeed.open(path)
      result = before
      found = try descend(feed, place, [], &result, progress, use)
    }
    guard found else {
      let places = format.reading.places.filter { !$0.isEmpty }.map { $0.joined(separator: ".") }
      throw CassetteError(
        file: path, line: 1, column: 1,
        message: "not a recording of \(format.name): the list \(places.joined(separator: " or ")) is missing")
    }
    try feed.finish()
    progress(feed.size)
  }

  /// Follows member names to the list of recordings and reads it; returns false if there is no such list.
  private func descend(
    _ feed: JSONFeed, _ steps: [String], _ path: [String], _ result: inout Result, _ progress: (Int) -> Void,
    _ use: Use
  ) throws(CassetteError) -> Bool {
    guard path.count < steps.count else {
      guard try feed.take("[") else { return try isElse(feed) }
      try readList(feed, &result, progress, use)
      return true
    }
    guard try feed.take("{") else { return try isElse(feed) }
    var found = false
    var isFirst = true
    while let name = try feed.nextName(isFirst: isFirst) {
      isFirst = false
      if name == steps[path.count], !found {
        found = try descend(feed, steps, path + [name], &result, progress, use)
        // The member is not a list, so the caller reports that the file has no recordings.
        if !found { return false }
      } else {
        _ = try feed.peek()
        let line = feed.line
        let value = try feed.value(limit: 1 << 16)
        result.notes.begin(value, at: SourcePlace(file: feed.path, line: line, column: 1))
        note(value, path + [name], &result)
      }
    }
    return found
  }

  /// Skips a value that is neither a list nor an object, so that a syntax error in it is reported.
  private func isElse(_ feed: JSONFeed) throws(CassetteError) -> Bool {
    _ = try feed.value(limit: 1 << 20)
    return false
  }

  /// Notes a member next to the list of recordings.
  private func note(_ value: JSONValue?, _ path: [String], _ result: inout Result) {
    if format == .har, path.last == HARExtension.name, let value {
      result.origin = HARExtension.origin(value, &result.notes)
    }
    KnownMembers.check(value, path.reduce(format.reading.surroundings) { $0?[$1] }, at: path, &result.notes)
  }

  private func readList(
    _ feed: JSONFeed, _ result: inout Result, _ progress: (Int) -> Void, _ use: Use
  ) throws(CassetteError) {
    var index = 0
    while try feed.hasElement(isFirst: index == 0) {
      _ = try feed.peek()
      let place = SourcePlace(file: feed.path, line: feed.line, column: 1)
      guard let element = try feed.value() else { continue }
      try read(element, "\(format.reading.item) \(index)", place, &result, use)
      index += 1
      progress(feed.consumed)
    }
  }

  /// Converts one recording, or reports why it was skipped.
  func read(
    _ element: JSONValue, _ item: String, _ place: SourcePlace, _ result: inout Result, _ use: Use
  ) throws(CassetteError) {
    result.count += 1
    result.notes.begin(element, at: place)
    let interactions: [Interaction]
    do {
      interactions = try convert(element, &result.notes)
      format.reading.recording.check(element, &result.notes)
    } catch {
      try result.skip(item, at: place, error)
      if let gap = result.gap(error) { try use(gap, place) }
      return
    }
    for interaction in interactions { try use(interaction, place) }
  }

  private func convert(_ element: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [Interaction] {
    switch format {
    case .har: try HARReader.interactions(of: element, &notes)
    case .vcr: try VCRReader.interactions(of: element, &notes)
    case .nock: try NockReader.interactions(of: element, &notes)
    case .hoverfly: try HoverflyReader.interactions(of: element, &notes)
    case .dvr: try DVRReader.interactions(of: element, &notes)
    case .wiremock, .postman: throw Unusable("it must be imported as a separate file")
    }
  }
}

extension CassetteFormat {
  /// The properties of a format that the import needs.
  struct Reading {
    let name: String
    /// The word for one recording in messages.
    let item: String
    /// The paths to the list of recordings, as names of members.
    ///
    /// The first path that exists is used.
    let places: [[String]]
    /// The members of a recording that the reader knows.
    let recording: KnownMembers
    /// The members next to the list of recordings that the reader knows.
    let surroundings: KnownMembers?

    fileprivate init(_ name: String, _ item: String, _ places: [[String]], _ recording: String, in around: String?) {
      (self.name, self.item, self.places) = (name, item, places)
      (self.recording, surroundings) = (.table(recording), around.map(KnownMembers.table))
    }
  }

  var reading: Reading {
    switch self {
    case .har: Reading("HAR", "entry", [["log", "entries"]], "HAREntry", in: "HAR")
    case .vcr:
      Reading("VCR", "interaction", [["http_interactions"], ["interactions"], []], "VCRInteraction", in: "VCR")
    case .wiremock: Reading("WireMock", "mapping", [["mappings"]], "WireMock", in: "WireMockFile")
    case .nock: Reading("nock", "definition", [[]], "Nock", in: nil)
    case .hoverfly: Reading("Hoverfly", "pair", [["data", "pairs"]], "HoverflyPair", in: "Hoverfly")
    case .dvr: Reading("DVR", "interaction", [["interactions"], []], "DVRInteraction", in: "DVR")
    case .postman: Reading("Postman", "item", [["item"]], "PostmanItem", in: "Postman")
    }
  }

  /// The name of the format in messages: `HAR`.
  package var name: String { reading.name }
}
