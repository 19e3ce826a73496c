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
    /// The members of a recording that the reader knows.
    let recording: KnownMembers
    /// The members next to the list of recordings that the reader knows.
    var surroundings: KnownMembers?
  }

  var reading: Reading {
    switch self {
    case .har:
      Reading(name: "HAR", item: "entry", places: [["log", "entries"]], recording: .harEntry, surroundings: .har)
    case .vcr:
      Reading(
        name: "VCR", item: "interaction", places: [["http_interactions"], ["interactions"], []],
        recording: .vcrInteraction, surroundings: .vcr)
    case .wiremock:
      Reading(
        name: "WireMock", item: "mapping", places: [["mappings"]], recording: .wireMock, surroundings: .wireMockFile)
    case .nock: Reading(name: "nock", item: "definition", places: [[]], recording: .nockDefinition)
    case .hoverfly:
      Reading(
        name: "Hoverfly", item: "pair", places: [["data", "pairs"]], recording: .hoverflyPair, surroundings: .hoverfly)
    case .dvr:
      Reading(
        name: "DVR", item: "interaction", places: [["interactions"], []], recording: .dvrInteraction, surroundings: .dvr
      )
    case .postman:
      Reading(name: "Postman", item: "item", places: [["item"]], recording: .postmanItem, surroundings: .postman)
    }
  }

  /// The name of the format in messages: `HAR`.
  package var name: String { reading.name }
}
