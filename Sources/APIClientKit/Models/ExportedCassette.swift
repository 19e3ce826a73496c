/// The file format of an exported cassette.
struct ExportedCassette: Encodable {
  /// A request and its outcome.
  struct Interaction: Encodable {
    let id: String
    let request: Message
    var response: Message?
    var failure: [String: Int]?
  }

  /// A request or a response.
  struct Message: Encodable {
    var method: String?
    var url: String?
    var status: Int?
    var headers: [[String]]?
    var body: [String: String]?
  }

  let cassette = 1
  let origin: String
  let interactions: [Interaction]
}
