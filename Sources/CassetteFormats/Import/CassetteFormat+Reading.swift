internal import CassetteFormatMembers

extension CassetteFormat {
  /// The facts about a format that reading it takes.
  struct Reading {
    let name: String
    /// The name of one recording in messages.
    let item: String
    /// The ways to the list of recordings in a file: names of members, the first that is there counts.
    let places: [[String]]
    /// The members of one recording that readers know.
    let recording: KnownMembers
    /// The members around the list of recordings that readers know.
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

  /// The format's name in messages: `HAR`.
  package var name: String { reading.name }
}
