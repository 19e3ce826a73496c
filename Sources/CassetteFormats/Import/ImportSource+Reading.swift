internal import CassetteJSON
import Cassettes

extension ImportSource {
  /// Reads the recordings in order.
  ///
  /// A skipped recording whose request was read is passed on as a placeholder. It is left out if only its body is
  /// missing, and `captured` contains a response of the same status to the same request.
  ///
  /// - Parameters:
  ///   - findsUnknown: True to note unknown members. Default: false.
  ///   - captured: The keys of responses that another recording contains.
  ///   - progress: Receives the number of bytes read.
  ///   - use: Receives each recording with its location.
  /// - Returns: The skipped recordings and the notes.
  /// - Throws: An error if a file is invalid, or the error of `use`.
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
