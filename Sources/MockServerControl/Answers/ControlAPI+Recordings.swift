internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMaintenance
internal import CassetteSecrets
internal import Cassettes
internal import MockServerUpstream

/// The calls for exchanges that are being recorded and are not in the cassette yet.
extension ControlAPI {
  /// Reports the progress of the recorder, and the last exchanges in the form in which they will be saved.
  func listRecordings(_ call: ControlCall) -> ControlAnswer {
    guard let recorder = server.recorder else {
      return .json { json in
        json.member("cassette", nil)
        json.array("exchanges") { _ in }
      }
    }
    return later { () throws(ControlRefusal) in
      let (progress, kept) = (recorder.progress, recorder.lastKept)
      return ControlResponse.json { json in
        json.member("cassette", recorder.settings.cassette)
        json.member("new", progress.new)
        json.member("unchanged", progress.unchanged)
        json.member("refused", progress.refused)
        json.member("failed", progress.failed)
        json.member("bytes", progress.bytes)
        json.array("exchanges", of: kept) { Self.describe($0, &$1) }
      }
    }
  }

  /// Shows one of the last exchanges in the form in which it will be saved.
  func showRecording(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    let id = call.parameters["id"] ?? ""
    guard let kept = server.recorder?.lastKept.first(where: { "\($0.number)" == id }) else {
      throw ControlRefusal(404, "there is no recording \(id): list the last recordings with GET /__mock/recordings")
    }
    let written = try written(kept.interaction)
    return .json { json in
      Self.describe(kept, &json)
      json.member("interaction", json: written)
    }
  }

  private static func describe(_ kept: Recorder.Kept, _ item: inout JSONWriter) {
    let exchange = kept.interaction
    item.member("exchange", kept.number)
    item.member("method", exchange.method.rawValue)
    item.member("url", SecretNames.masked(url: exchange.url))
    if let status = exchange.status { item.member("status", status) }
    item.member("isNew", kept.isNew)
    let text = (try? EditableCassette.text(of: exchange)) ?? []
    item.member("redacted", SecretAlias.numbers(in: text).count)
  }
}
