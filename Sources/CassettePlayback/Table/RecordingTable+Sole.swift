internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

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
  package func sole(_ method: String, _ target: String, hasCredentials: () -> Bool) -> Int? {
    method.withUTF8Span { method in
      target.withUTF8Span { text in
        RecordedTarget.withPathAndQuery(text) { sole(method: method, target: $0, hasCredentials: hasCredentials) }
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
