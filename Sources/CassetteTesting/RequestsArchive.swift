import CassetteHTTP
import CassetteJSON
import CassetteSecrets
import CassetteSession
internal import CassetteSystem
import Cassettes
import Foundation

/// The requests of a test as an HTTP archive (HAR 1.2) for browsers and proxies, with secrets masked.
struct RequestsArchive {
  private let requests: [CassetteLedger.Entry]

  init(_ requests: [CassetteLedger.Entry]) { self.requests = requests }

  /// The archive as JSON.
  var bytes: [UInt8] {
    JSONWriter.object { file in
      file.object("log") { log in
        log.member("version", "1.2")
        log.object("creator") { creator in
          creator.member("name", "CassetteTesting")
          creator.member("version", "1")
        }
        log.array("entries") { entries in
          for entry in requests {
            guard let sent = entry.sent else { continue }
            entries.object { write(sent, entry, &$0) }
          }
        }
      }
    }
  }

  private func write(_ sent: CassetteSentRequest, _ entry: CassetteLedger.Entry, _ item: inout JSONWriter) {
    // The format requires a time, but answers that are not sent over a network have none.
    item.member("startedDateTime", "1970-01-01T00:00:00Z")
    item.member("time", 0)
    item.object("request") { request in
      request.member("method", sent.method)
      request.member("url", SecretNames.masked(url: sent.url.absoluteString))
      write(sent.headers, &request)
      request.array("queryString") { list in
        for parameter in QueryItem.parse(sent.request.target.query ?? "") {
          list.object { pair in
            pair.member("name", parameter.name)
            pair.member("value", SecretNames.masked(field: parameter.name, value: parameter.value ?? ""))
          }
        }
      }
      let type = sent.headers["Content-Type"]
      if !sent.request.body.isEmpty {
        request.object("postData") { data in
          data.member("mimeType", type ?? "")
          data.member("text", text(sent.request.body, type) ?? "\(sent.request.body.count) bytes that are not text")
        }
      }
      request.member("headersSize", -1)
      request.member("bodySize", sent.request.body.count)
    }
    item.object("response") { write(entry.recording, entry.answer, &$0) }
    item.object("cache") { _ in }
    item.object("timings") { timings in
      for name in ["send", "wait", "receive"] { timings.member(name, 0) }
    }
    item.member("comment", entry.answer)
  }

  /// Writes a recorded response; for a request without a response, the status is 0, as in browsers.
  private func write(_ recording: Interaction?, _ answer: String, _ item: inout JSONWriter) {
    let response = recording?.response
    let bytes = (try? response?.body?.bytes()) ?? []
    let type = response?.headers["Content-Type"]
    item.member("status", response.map { Int($0.status.code) } ?? 0)
    item.member("statusText", response?.reason ?? (response == nil ? answer : ""))
    write(response?.headers ?? [], &item)
    item.object("content") { content in
      content.member("size", bytes.count)
      content.member("mimeType", type ?? "")
      if let text = text(bytes, type) {
        content.member("text", text)
      } else {
        content.member("text", BodyBase64.text(of: bytes))
        content.member("encoding", "base64")
      }
    }
    item.member("redirectURL", response?.headers["Location"] ?? "")
    item.member("headersSize", -1)
    item.member("bodySize", bytes.count)
  }

  private func write(_ headers: HTTPHeaders, _ item: inout JSONWriter) {
    item.member("httpVersion", "HTTP/1.1")
    item.array("cookies") { _ in }
    item.array("headers") { list in
      for field in headers {
        list.object { pair in
          pair.member("name", field.name)
          pair.member("value", SecretNames.masked(field: field.name, value: field.value))
        }
      }
    }
  }

  private func text(_ bytes: [UInt8], _ type: String?) -> String? {
    guard !bytes.contains(0), let text = String(validUTF8: bytes) else { return nil }
    return SecretNames.masked(body: text, contentType: type)
  }
}
