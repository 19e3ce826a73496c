/// A format of another tool.
package enum CassetteFormat: String, CaseIterable, Sendable {
  case har, vcr, wiremock, nock, hoverfly, dvr, postman

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
