internal import CassetteHTTP

/// All routes of the control API.
enum ControlRoutes {
  static let all: [ControlRoute] = interactions + state + journal + edits + server + page

  private static let session = ControlField(
    "session", .string, "Whose; the field X-Mock-Session says it, too. Without one, of all who name none.")
  private static let conflict = "Why not, with the nearest requests and what differs in each."

  private static let interactions: [ControlRoute] = [
    ControlRoute(
      .get, "/__mock/interactions",
      "Lists stubs, the newest first, then recordings and fixtures, with plays, and whose turn it is in a session.",
      query: [session], schema: "InteractionList", ControlAPI.listInteractions),
    ControlRoute(
      .post, "/__mock/interactions",
      "Adds a stub, or an array of them, before every recording and fixture; the newest comes first.",
      query: [.init("session", .string, "Whose requests it answers, where its member \"session\" does not say it.")],
      content: .interactions, status: 201, others: [(409, "There is one of its id already.")],
      schema: "StubIDs", ControlAPI.addInteractions),
    ControlRoute(
      .delete, "/__mock/interactions", "Takes out all stubs, or those of a session.",
      query: [.init("session", .string, "Whose; all without one.")], schema: "Removed", ControlAPI.removeInteractions),
    ControlRoute(
      .post, "/__mock/interactions/save",
      "Writes stubs behind what a cassette of the served folder holds; nothing else writes to a file.",
      content: .members([
        .init("cassette", .string, "The cassette's name in the folder, without .json."),
        .init("ids", .array, "Which stubs; all without it."),
      ]), others: [(409, "Why nothing was written.")], schema: "Saved", ControlAPI.saveInteractions),
    ControlRoute(
      .get, "/__mock/interactions/{id}",
      "Shows a stub or a recording, with its request and response as a cassette has them.", schema: "Interaction",
      ControlAPI.showInteraction),
    ControlRoute(
      .put, "/__mock/interactions/{id}",
      "Puts a stub into the place of one: an interaction, or what GET shows with it as its member \"interaction\".",
      query: [.init("session", .string, "Whose requests it answers, where its member \"session\" does not say it.")],
      content: .interactions, schema: "StubIDs", ControlAPI.replaceInteraction),
    ControlRoute(
      .delete, "/__mock/interactions/{id}", "Takes a stub out.", schema: "Removed", ControlAPI.removeInteraction),
    ControlRoute(
      .post, "/__mock/interactions/{id}/save", "Writes one stub behind what a cassette of the served folder holds.",
      content: .members([.init("cassette", .string, "The cassette's name in the folder, without .json.")]),
      others: [(409, "Why nothing was written.")], schema: "Saved", ControlAPI.saveInteractions),
  ]

  private static let state: [ControlRoute] = [
    ControlRoute(
      .get, "/__mock/scenarios", "Lists the scenarios that something waits for.", query: [session],
      schema: "ScenarioList", ControlAPI.listScenarios),
    ControlRoute(
      .get, "/__mock/scenarios/{name}", "Tells the state of a scenario.", query: [session], schema: "Scenario",
      ControlAPI.showScenario),
    ControlRoute(
      .put, "/__mock/scenarios/{name}", "Brings a scenario into a state.", query: [session],
      content: .members([
        .init("state", .string, "The state."), session,
        .init("name", .string, "The name in the path, as GET shows it."),
        .init("states", .array, "The states, as GET shows them; they are not changed."),
      ]),
      others: [(422, "Nothing speaks of such a state.")], schema: "Scenario", ControlAPI.enterState),
    ControlRoute(
      .post, "/__mock/gates", "Closes a gate: answers to a request wait there until it is released.",
      content: .members([
        .init("name", .string, "The name of the gate."),
        .init("request", .object, "The request as a cassette has it: {\"method\": \"GET\", \"url\": \"/a\"}."),
        .init("match", .object, "The rules of a cassette's interaction, where more requests than that one are meant."),
      ]), status: 201, others: [(409, "There is one of its name already.")], schema: "Gate", ControlAPI.closeGate),
    ControlRoute(
      .get, "/__mock/gates/{name}", "Shows a gate, at once or when enough answers have arrived.",
      query: [
        .init("arrived", .integer, "The number of answers to wait for; 0 without it."),
        .init("seconds", .integer, "How long is waited; 5 without it, 60 at most."),
      ], others: [(409, "Fewer answers have arrived.")], schema: "Gate", ControlAPI.showGate),
    ControlRoute(
      .delete, "/__mock/gates/{name}", "Releases the answers that a gate holds, and removes the gate.",
      query: [.init("failing", .integer, "The code of an error in place of the answers, such as -1001.")],
      schema: "Gate", ControlAPI.releaseGate),
    ControlRoute(
      .get, "/__mock/sessions", "Lists the sessions that have come some way.", schema: "SessionList",
      ControlAPI.listSessions),
    ControlRoute(
      .get, "/__mock/resources", "Lists the resources, and how many elements a session has.", query: [session],
      schema: "ResourceList", ControlAPI.listResources),
    ControlRoute(
      .get, "/__mock/resources/{path*}", "Shows the elements that a session has of a resource.", query: [session],
      schema: "Resource", ControlAPI.showResource),
    ControlRoute(
      .put, "/__mock/resources/{path*}", "Puts elements in the place of those that a session has of a resource.",
      content: .members([
        .init("elements", .array, "Objects, each with a name of its own."),
        .init("session", .string, "Whose; the field X-Mock-Session says it, too."),
        .init("path", .string, "The path of the resource, as GET shows it."),
        .init("warnings", .array, "The warnings of an answer; they are not changed."),
      ]), others: [(409, "Why it was not done.")], schema: "Resource", ControlAPI.replaceResource),
    ControlRoute(
      .get, "/__mock/settings", "Shows what can be changed while the server runs.", schema: "Settings",
      ControlAPI.showSettings),
    ControlRoute(
      .put, "/__mock/settings", "Changes the settings that are named, and no others.",
      content: .members([
        .init("matching", .string, "How requests are compared where a file says nothing: exact, careful or loose."),
        .init(
          "latency", nil,
          "How long answers take that do not say it: seconds, \"20ms..80ms\", \"fitted\"; null for no time."),
        .init("bytesPerSecond", .integer, "How many bytes of a body come in a second; null for all at once."),
        .init(
          "faults", .array,
          "What goes wrong: {\"kind\": \"reset\", \"on\": \"POST /a\", \"probability\": 0.1, \"first\": 2, \"every\": 3}."
        ), .init("clock", .string, "What time it is in answers: system, recorded, or always a time."),
        .init("seed", .integer, "From what chance is made; null for another each time."),
        .init("journal", .object, "How much of a body is kept: {\"bodyBytes\": 65536}."),
      ]), schema: "Settings", ControlAPI.changeSettings),
    ControlRoute(
      .post, "/__mock/reset",
      "Begins everything anew, or a session: positions, scenarios, journal, and stubs without \"keep\".",
      content: .members([.init("session", .string, "Which session; all without one.")]), schema: "Reset",
      ControlAPI.reset),
  ]

  private static let expectation: [ControlField] = [
    .init("request", .object, "The request as a cassette has it: {\"method\": \"GET\", \"url\": \"/a\"}."),
    .init("match", .object, "The rules of a cassette's interaction, where more requests than that one are meant."),
    .init("session", .string, "Whose requests; those of all without one."),
  ]

  private static let journal: [ControlRoute] = [
    ControlRoute(
      .get, "/__mock/journal", "Shows the last requests and what became of them, the oldest first, secrets masked.",
      query: JournalFilter.parameters + [
        .init("after", .integer, "Requests behind the one of this number: \"next\" of the page before."),
        .init("limit", .integer, "How many; 1000 without it."),
        .init("as", .string, "json, or with what answered them: cassette, har."),
        .init("follow", .boolean, "Sends requests as they come, as server-sent events."),
        .init("rate", .integer, "With follow: about how many a second at most; how many were left out is told."),
      ], schema: "JournalPage", also: ["text/event-stream"], ControlAPI.journal),
    ControlRoute(
      .get, "/__mock/journal/{id}",
      "Shows one request, what answered it as a cassette has it, what differs, and how a miss may be accepted.",
      query: [.init("as", .string, "json, or text to paste: curl, a command for a shell; stub, a stub in Swift.")],
      schema: "RequestDetails", also: ["text/plain"], ControlAPI.showRequest),
    ControlRoute(
      .get, "/__mock/recordings",
      "Shows what a recorder has kept so far, what of it is new, and how much was redacted, before it is saved.",
      schema: "RecordingList", ControlAPI.listRecordings),
    ControlRoute(
      .get, "/__mock/recordings/{id}", "Shows one of the last exchanges as it is to be saved.", schema: "Recording",
      ControlAPI.showRecording
    ),
    ControlRoute(
      .get, "/__mock/misses", "Shows the last misses and approximations, with the nearest recordings and what differs.",
      schema: "Misses", ControlAPI.misses),
    ControlRoute(
      .post, "/__mock/verify", "Tells whether a request came as often as expected, or several in an order.",
      content: .members(
        expectation + [
          .init("times", nil, "{\"atLeast\": 1}, \"atMost\", \"exactly\", or a number; at least once without it."),
          .init("order", .array, "In place of \"request\": requests as {\"request\": {…}} that came in this order."),
        ]), others: [(409, conflict)], schema: "Verification", ControlAPI.verify),
    ControlRoute(
      .post, "/__mock/wait", "Answers once a request has come.",
      content: .members(
        expectation + [
          .init("times", nil, "How often it is to come; once without it."),
          .init("seconds", .integer, "How long is waited; 5 without it, 60 at most."),
        ]), others: [(409, conflict)], schema: "Verification", ControlAPI.wait),
  ]

  private static let server: [ControlRoute] = [
    ControlRoute(
      .get, "/__mock/health", "Tells how the server is, and how often files were taken in.",
      query: [
        .init("generation", .integer, "Answers once files have been taken in that often: an edit adds one."),
        .init("seconds", .integer, "How long is waited for that; 5 without it, 60 at most."),
      ], others: [(409, "An edit was not taken in, and why.")], schema: "Health", ControlAPI.health),
    ControlRoute(
      .get, "/__mock/metrics", "Shows the counts as Prometheus reads them.", answers: "text/plain", ControlAPI.metrics),
    ControlRoute(.get, "/__mock/openapi.json", "Describes this interface (OpenAPI 3.1).", schema: "Document") { _ in
      { _ in .response(ControlDocument.response) }
    },
  ]
}
