/// The file format of another tool.
package enum CassetteFormat: String, CaseIterable, Sendable {
  case har, vcr, wiremock, nock, hoverfly, dvr, postman
}
