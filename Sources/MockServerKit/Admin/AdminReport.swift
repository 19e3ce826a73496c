internal import CassetteFiles
internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePlayback
internal import CassetteRecording
internal import CassetteSecrets
internal import Cassettes
internal import MockServerUpstream
internal import Synchronization

/// The lists that `/__mock/` gives: recordings, requests and misses, with secrets masked.
enum AdminReport {
  /// Every recording and fixture, with the request that played it first.
  static func interactions(_ table: RecordingTable) -> HTTPResponse {
    let changes = table.changesAwaited
    return AdminAPI.json { json in
      json.array("interactions") { list in
        for (number, entry) in table.entries.enumerated() {
          list.object { item in
            let interaction = entry.interaction
            item.member("id", interaction.shownID)
            item.member("cassette", entry.cassette)
            item.member("place", interaction.place.map { "\($0.file):\($0.line)" })
            item.member("method", interaction.method.rawValue)
            item.member("url", SecretNames.masked(url: interaction.url))
            item.member("origin", entry.origin)
            if let status = interaction.status { item.member("status", status) }
            item.member("failure", interaction.failure?.name)
            if let change = changes[number] { item.member("after", table.entries[change].interaction.id) }
            if let request = table.firstPlayed(number) { item.member("firstPlayedBy", Int(clamping: request)) }
          }
        }
      }
    }
  }

  /// The last requests over all loops, the oldest first.
  static func journal(_ state: ServerState) -> HTTPResponse {
    let table = state.deck.table
    let generation = state.deck.generation.load(ordering: .acquiring)
    // What is shown is redacted as what is recorded is: by all that is known, here and in the recorder's journal.
    var secrets = state.recorder?.secrets ?? StreamedRedaction(Redaction())
    let entries = state.journals.flatMap { $0.read() }.sorted { $0.number < $1.number }.suffix(RequestJournal.entries)
      .map { (entry: $0, request: parse($0.head)) }
    for (entry, request) in entries {
      if let request { try? secrets.collect(Interaction(shown: request, entry.body)) }
    }
    return AdminAPI.json { json in
      json.member("requests", Int(clamping: state.deck.requestCount))
      json.array("entries") { list in
        for (entry, request) in entries {
          list.object { describe(entry, shown(request, entry, &secrets), table, generation, &$0) }
        }
      }
    }
  }

  /// A request as it may be shown.
  private static func shown(
    _ request: HTTPRequest?, _ entry: RequestJournal.Entry, _ secrets: inout StreamedRedaction
  ) -> Interaction? {
    guard let request else { return nil }
    return try? secrets.redacting(Interaction(shown: request, entry.body))
  }

  private static func describe(
    _ entry: RequestJournal.Entry, _ request: Interaction?, _ table: RecordingTable, _ generation: Int,
    _ item: inout JSONWriter
  ) {
    item.member("number", Int(clamping: entry.number))
    item.member("at", Timestamp.format(nanoseconds: entry.at))
    item.member("method", request?.method.rawValue)
    item.member("url", request.map { SecretNames.masked(url: $0.url) })
    if entry.status > 0 { item.member("status", entry.status) }
    switch entry.outcome {
    case .played(let number, let derived, let approximate, let after):
      item.member("outcome", entry.status > 0 ? "played" : "failed")
      let known = entry.generation == generation && table.entries.indices.contains(number)
      item.member("recording", known ? table.entries[number].interaction.id : nil)
      item.member("cassette", known ? table.entries[number].cassette : nil)
      item.member("derived", derived)
      item.member("approximate", approximate)
      if known, let after { item.member("after", table.entries[after].interaction.id) }
    case .derived(let how):
      item.member("outcome", "played")
      item.member("derived", how)
    case .recorded: item.member("outcome", entry.status > 0 ? "recorded" : "failed")
    case .miss: item.member("outcome", "miss")
    }
    item.member("sentBytes", entry.sent)
    guard let request else { return }
    item.array("headers") { headers in
      for field in request.requestHeaders {
        headers.array { pair in
          pair.element(field.name)
          pair.element(SecretNames.masked(field: field.name, value: field.value))
        }
      }
    }
    guard entry.bodyLength > 0 else { return }
    item.member("bodyBytes", entry.bodyLength)
    let isWhole = entry.body.count == entry.bodyLength
    // A cut body may end within a character: the piece of one is left off.
    let body = (try? request.requestBody?.bytes()) ?? []
    if let text = String(validating: isWhole ? body[...] : Self.withoutCutCharacter(body), as: UTF8.self) {
      item.member("body", SecretNames.masked(body: text, contentType: request.requestHeaders["Content-Type"]))
    } else {
      item.member("body", nil)
    }
    item.member("bodyIsCut", !isWhole)
  }

  private static func withoutCutCharacter(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard let start = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes[...] }
    // The leading ones of the first byte tell how many there are to be (RFC 3629 §3).
    let length = max(1, (~bytes[start]).leadingZeroBitCount)
    return bytes.count - start < length ? bytes[..<start] : bytes[...]
  }

  /// The head as it was kept, read again with limits that have let it through before.
  private static func parse(_ head: [UInt8]) -> HTTPRequest? {
    var parser = RequestParser(limits: ParserLimits(requestLine: .max, head: .max, fields: .max, body: .max))
    do throws(ParseError) {
      guard try parser.parse(head.span) else { return nil }
    } catch { return nil }
    return HTTPRequest(head: parser.head, bytes: head.span, body: [])
  }

  /// The last misses, and the last answers that were approximations, the oldest first.
  static func misses(_ state: ServerState) -> HTTPResponse {
    AdminAPI.json { json in
      json.member("total", state.missCount)
      json.array("misses") { list in
        for miss in state.lastMisses {
          list.object { item in
            item.member("number", Int(clamping: miss.number))
            item.member("request", miss.request)
            item.member("reason", miss.reason)
            item.array("nearest") { nearest in
              for near in miss.nearest {
                nearest.object { one in
                  one.member("id", near.id)
                  one.member("place", near.place)
                  one.array("differs") { list in for mismatch in near.mismatches { list.element("\(mismatch)") } }
                }
              }
            }
            item.member("remedy", miss.remedy)
            item.array("remedies") { list in for remedy in miss.remedies { list.element(remedy) } }
          }
        }
      }
      json.member("approximate", state.approximationCount)
      json.array("approximations") { list in
        for approximation in state.lastApproximations {
          list.object { item in
            item.member("number", Int(clamping: approximation.number))
            item.member("request", approximation.request)
            item.member("id", approximation.recording.id)
            item.member("place", approximation.recording.place)
            item.member("parts", approximation.parts)
            item.array("differs") { list in
              for mismatch in approximation.recording.mismatches { list.element("\(mismatch)") }
            }
          }
        }
      }
    }
  }
}
