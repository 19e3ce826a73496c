/// The file format of another tool.
package enum CassetteFormat: String, CaseIterable, Sendable {
  case har, vcr, wiremock, nock, hoverfly, dvr, postman
}

extension CassetteFormat {
  /// The properties of a format that the import needs.
  struct Reading {
    let name: String
    /// The word for one recording in messages.
    let item: String
    /// The paths to the list of recordings, as names of members.
    ///
    /// The first path that exists is used.
    let places: [[String]]
    /// The members that play no part in an answer; the import omits them without a note.
    let ignored: Set<String>

    fileprivate init(_ name: String, _ item: String, _ places: [[String]], ignoring ignored: String) {
      (self.name, self.item, self.places) = (name, item, places)
      self.ignored = Set(ignored.split(whereSeparator: \.isWhitespace).map(String.init))
    }
  }

  var reading: Reading { Self.readings[self] ?? Reading("", "", [], ignoring: "") }

  private static let readings: [CassetteFormat: Reading] = [
    .har: Reading(
      "HAR", "entry", [["log", "entries"]],
      ignoring: """
        version creator browser pages comment cookies params httpVersion headersSize bodySize mimeType size compression
        redirectURL cache timings serverIPAddress connection pageref
        """),
    .vcr: Reading(
      "VCR", "interaction", [["http_interactions"], ["interactions"], []],
      ignoring: """
        recorded_with version id proto proto_major proto_minor transfer_encoding trailer remote_addr content_length host
        request_uri form http_version uncompressed duration url encoding recorded_at message category
        """),
    .wiremock: Reading(
      "WireMock", "mapping", [["mappings"]],
      ignoring: "id uuid name metadata persistent insertionIndex fromConfiguredStub meta"),
    .nock: Reading("nock", "definition", [[]], ignoring: ""),
    .hoverfly: Reading(
      "Hoverfly", "pair", [["data", "pairs"]], ignoring: "meta requestType labels min max mean"),
    .dvr: Reading("DVR", "interaction", [["interactions"], []], ignoring: "name url"),
    .postman: Reading(
      "Postman", "item", [["item"]],
      ignoring: """
        info item response id uid name description type uuid enabled system contentType src equals options disabled
        timings previewlanguage previewType _postman_id _postman_isSubFolder _postman_previewlanguage
        _postman_previewtype
        """),
  ]

  /// Returns true if a member plays no part in an answer.
  ///
  /// In HAR, names of extension members begin with an underscore.
  func ignores(_ name: String) -> Bool { self == .har && name.hasPrefix("_") || reading.ignored.contains(name) }

  /// The name of the format in messages: `HAR`.
  package var name: String { reading.name }
}
