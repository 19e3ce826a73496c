package import CassetteHTTP
package import Cassettes

extension RecordedResponse {
  /// Creates a response from the received heads, with its content decoded or not.
  package init(_ head: ResponseHead, behind interims: [ResponseHead], isDecoded: Bool, body: Body?) {
    var headers = head.headers
    let coding = isDecoded ? ContentDecoder.coding(of: headers) : nil
    if isDecoded { headers.remove("Content-Encoding") }
    let reason = head.reason == head.status.standardPhrase ? nil : head.reason
    self.init(status: head.status, reason: reason, headers: headers, body: body)
    self.coding = coding
    // Status 100 concerns only the connection between the origin and its client, and is not part of the response.
    interim = interims.filter { $0.status.code != 100 }
      .map { InterimResponse(status: $0.status, headers: $0.headers) }
  }
}
