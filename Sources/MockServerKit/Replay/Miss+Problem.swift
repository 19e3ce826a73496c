internal import CassetteJSON
internal import CassettePlayback
internal import CassetteSystem

extension Miss {
  /// Returns the explanation as `application/problem+json` (RFC 9457).
  ///
  /// - Parameter status: The status of the server's response to a miss.
  /// - Returns: The JSON, indented for reading in a terminal.
  func problem(status: Int) -> [UInt8] {
    var json = JSONWriter()
    json.object {
      $0.member("type", "about:blank")
      $0.member("title", wasConsumed ? "All matching recordings have been played" : "No recording answers")
      $0.member("status", status)
      $0.member("detail", reason)
      $0.member("request", request)
      $0.member("number", Int(clamping: number))
      $0.array("nearest") { list in
        for near in nearest {
          list.object { item in
            item.member("id", near.id)
            item.member("place", near.place)
            item.member("request", near.request)
            item.array("differs") { differs in
              for mismatch in near.mismatches { differs.element("\(mismatch)") }
            }
          }
        }
      }
      if !operations.isEmpty { $0.member("operations", operations) }
      $0.member("remedy", remedy)
      $0.array("remedies") { list in
        for remedy in remedies { list.element(remedy) }
      }
    }
    var problem: [UInt8] = []
    let compact = json.bytes
    JSONStyle.indent2.render(compact.span, into: &problem)
    return problem + [UInt8(ascii: "\n")]
  }
}
