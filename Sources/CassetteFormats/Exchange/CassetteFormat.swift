/// A format of another tool.
package enum CassetteFormat: String, CaseIterable, Sendable {
  case har
  case vcr
  case wiremock
  case nock
  case hoverfly
  case dvr
  case postman

  /// The format's name in messages: `HAR`.
  package var name: String {
    switch self {
    case .har: "HAR"
    case .vcr: "VCR"
    case .wiremock: "WireMock"
    case .nock: "nock"
    case .hoverfly: "Hoverfly"
    case .dvr: "DVR"
    case .postman: "Postman"
    }
  }
}
