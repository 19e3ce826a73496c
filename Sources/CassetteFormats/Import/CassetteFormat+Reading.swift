internal import CassetteFormatMembers

extension CassetteFormat {
  /// The ways to the list of recordings in a file: names of members, the first that is there counts.
  var places: [[String]] {
    switch self {
    case .har: [["log", "entries"]]
    case .vcr: [["http_interactions"], ["interactions"], []]
    case .wiremock: [["mappings"]]
    case .nock: [[]]
    case .hoverfly: [["data", "pairs"]]
    case .dvr: [["interactions"], []]
    case .postman: [["item"]]
    }
  }

  /// The members around the list of recordings that readers know.
  var surroundings: KnownMembers? {
    switch self {
    case .har: .har
    case .vcr: .vcr
    case .dvr: .dvr
    case .hoverfly: .hoverfly
    case .wiremock: .wireMockFile
    case .postman: .postman
    case .nock: nil
    }
  }

  /// The members of one recording that readers know.
  var recording: KnownMembers {
    switch self {
    case .har: .harEntry
    case .vcr: .vcrInteraction
    case .dvr: .dvrInteraction
    case .hoverfly: .hoverflyPair
    case .nock: .nockDefinition
    case .wiremock: .wireMock
    case .postman: .postmanItem
    }
  }

  /// The name of one recording in messages.
  var item: String {
    switch self {
    case .har: "entry"
    case .vcr, .dvr: "interaction"
    case .wiremock: "mapping"
    case .nock: "definition"
    case .hoverfly: "pair"
    case .postman: "item"
    }
  }
}
