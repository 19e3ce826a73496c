internal import CassetteHTTP

/// All routes of the control API.
enum ControlRoutes {
  static let all: [ControlRoute] = interactions + state + journal + edits + server + page

  private static let session = ControlField(
    "session", .string, "The session; default: the field X-Mock-Session, or else the requests without a session.")
  private static let conflict =
    "The expectation is not met; the problem lists the nearest requests and their differences."

  private static let interactions: [ControlRoute] = [
    ControlRoute(
      .get, "/__mock/interactions",
      "Lists stubs, newest first, then recordings and fixtures, with their play counts and positions in a session.",
      query: [session], schema: "InteractionList", { StubCalls(api: $0).listInteractions }),
    ControlRoute(
      .post, "/__mock/interactions",
      "Adds a stub or an array of stubs, which take precedence over recordings, fixtures and older stubs.",
      query: [.init("session", .string, "The session of stubs without a member \"session\".")],
      content: .interactions, status: 201, others: [(409, "A stub with this id already exists.")],
      schema: "StubIDs", { StubCalls(api: $0).addInteractions }),
    ControlRoute(
      .delete, "/__mock/interactions", "Removes all stubs, or those of a session.",
      query: [.init("session", .string, "The session; default: all.")], schema: "Removed",
      { StubCalls(api: $0).removeInteractions }),
    ControlRoute(
      .post, "/__mock/interactions/save",
      "Appends stubs to a cassette in the served folder. Stubs are not saved by any other call.",
      content: .members([
        .init("cassette", .string, "The cassette's name in the folder, without .json."),
        .init("ids", .array, "The ids of the stubs; default: all."),
      ]), others: [(409, "Nothing was written.")], schema: "Saved", { StubCalls(api: $0).saveInteractions }),
    ControlRoute(
      .get, "/__mock/interactions/{id}",
      "Shows a stub or a recording, with its request and response in the format of a cassette.", schema: "Interaction",
      { StubCalls(api: $0).showInteraction }),
    ControlRoute(
      .put, "/__mock/interactions/{id}",
      "Replaces a stub. Accepts an interaction, or the object that GET returns, with the member \"interaction\".",
      query: [.init("session", .string, "The session of stubs without a member \"session\".")],
      content: .interactions, schema: "StubIDs", { StubCalls(api: $0).replaceInteraction }),
    ControlRoute(
      .delete, "/__mock/interactions/{id}", "Removes a stub.", schema: "Removed",
      { StubCalls(api: $0).removeInteraction }),
    ControlRoute(
      .post, "/__mock/interactions/{id}/save", "Appends one stub to a cassette in the served folder.",
      content: .members([.init("cassette", .string, "The cassette's name in the folder, without .json.")]),
      others: [(409, "Nothing was written.")], schema: "Saved", { StubCalls(api: $0).saveInteractions }),
  ]

  private static let state: [ControlRoute] = [
    ControlRoute(
      .get, "/__mock/scenarios", "Lists the scenarios that recordings or stubs depend on.", query: [session],
      schema: "ScenarioList", ControlAPI.listScenarios),
    ControlRoute(
      .get, "/__mock/scenarios/{name}", "Shows the state of a scenario.", query: [session], schema: "Scenario",
      ControlAPI.showScenario),
    ControlRoute(
      .put, "/__mock/scenarios/{name}", "Sets the state of a scenario.", query: [session],
      content: .members([
        .init("state", .string, "The state."), session,
        .init("name", .string, "The name in the path, as returned by GET."),
        .init("states", .array, "The states, as returned by GET; ignored."),
      ]),
      others: [(422, "No recording or stub uses this state.")], schema: "Scenario", ControlAPI.enterState),
    ControlRoute(
      .post, "/__mock/gates", "Adds a gate that holds the responses to a request until it is released.",
      content: .members([
        .init("name", .string, "The name of the gate."),
        .init("request", .object, "The request in the format of a cassette: {\"method\": \"GET\", \"url\": \"/a\"}."),
        .init("match", .object, "The matching rules in the format of a cassette, to include other requests."),
      ]), status: 201, others: [(409, "A gate with this name already exists, or there are too many gates.")],
      schema: "Gate", ControlAPI.closeGate),
    ControlRoute(
      .get, "/__mock/gates/{name}", "Shows a gate, immediately or once enough responses have arrived.",
      query: [
        .init("arrived", .integer, "The number of responses to wait for; default: 0."),
        .init("seconds", .integer, "The longest wait in seconds; default: 5, maximum: 60."),
      ], others: [(409, "Fewer responses have arrived in this time.")], schema: "Gate", ControlAPI.showGate),
    ControlRoute(
      .delete, "/__mock/gates/{name}", "Removes a gate and releases the responses that it holds.",
      query: [.init("failing", .integer, "The URLError code to fail with instead of the responses, such as -1001.")],
      schema: "Gate", ControlAPI.releaseGate),
    ControlRoute(
      .get, "/__mock/sessions", "Lists the sessions that have sent requests or have stubs.", schema: "SessionList",
      ControlAPI.listSessions),
    ControlRoute(
      .get, "/__mock/resources", "Lists the resources, with the number of elements in a session.", query: [session],
      schema: "ResourceList", ControlAPI.listResources),
    ControlRoute(
      .get, "/__mock/resources/{path*}", "Shows the elements of a resource in a session.", query: [session],
      schema: "Resource", ControlAPI.showResource),
    ControlRoute(
      .put, "/__mock/resources/{path*}", "Replaces the elements of a resource in a session.",
      content: .members([
        .init("elements", .array, of: .object, "The objects, each with a unique id."),
        .init("session", .string, "The session; default: the field X-Mock-Session."),
        .init("path", .string, "The path of the resource, as returned by GET."),
        .init("warnings", .array, "The warnings, as returned by GET; ignored."),
      ]), others: [(409, "The elements were not replaced.")], schema: "Resource", ControlAPI.replaceResource),
    ControlRoute(
      .get, "/__mock/settings", "Shows the settings that can be changed while the server runs.", schema: "Settings",
      ControlAPI.showSettings),
    ControlRoute(
      .put, "/__mock/settings", "Changes the settings in the body; the others keep their values.",
      content: .members([
        .init("matching", .string, "The matching level of cassettes that do not set one: exact, careful or loose."),
        .init(
          "latency", nil,
          "The delay of responses without one: seconds, \"20ms..80ms\", \"fitted\"; null for none."),
        .init("bytesPerSecond", .integer, "The rate at which bodies are sent; null for no limit."),
        .init(
          "faults", .array, of: .object,
          "The faults: {\"kind\": \"reset\", \"on\": \"POST /a\", \"probability\": 0.1, \"first\": 2, \"every\": 3}."
        ), .init("clock", .string, "The clock of templates: system, recorded, or a fixed time."),
        .init("seed", .integer, "The seed of the random numbers; null for a random seed."),
        .init("journal", .object, "The number of bytes kept of each body: {\"bodyBytes\": 65536}."),
      ]), schema: "Settings", ControlAPI.changeSettings),
    ControlRoute(
      .post, "/__mock/reset",
      "Resets the server or a session: positions, scenarios, journal, and stubs without \"keep\".",
      content: .members([.init("session", .string, "The session; default: all.")]), schema: "Reset",
      ControlAPI.reset),
  ]

  private static let expectation: [ControlField] = [
    .init("request", .object, "The request in the format of a cassette: {\"method\": \"GET\", \"url\": \"/a\"}."),
    .init("match", .object, "The matching rules in the format of a cassette, to include other requests."),
    .init("session", .string, "Only requests of this session; default: all."),
  ]

  private static let journal: [ControlRoute] = [
    ControlRoute(
      .get, "/__mock/journal", "Shows the last requests and their outcomes, oldest first, with secrets masked.",
      query: JournalFilter.parameters + [
        .init("after", .integer, "Only requests after this number: \"next\" of the previous page."),
        .init("limit", .integer, "The number of requests; default: 1000."),
        .init("as", .string, "The format: json; or cassette or har, which include the responses."),
        .init("follow", .boolean, "True to send each new request as a server-sent event."),
        .init("rate", .integer, "With follow: the maximum number of events per second; others are counted."),
      ], schema: "JournalPage", also: ["text/event-stream"], { JournalCalls(api: $0).journal }),
    ControlRoute(
      .get, "/__mock/journal/{id}",
      "Shows one request, its recording in the format of a cassette, the differences, and the possible edits.",
      query: [.init("as", .string, "The format: json; curl, a shell command; or stub, a stub in Swift.")],
      schema: "RequestDetails", also: ["text/plain"], { JournalCalls(api: $0).showRequest }),
    ControlRoute(
      .get, "/__mock/recordings",
      "Shows the exchanges of a recording server before they are saved, with new ones and redactions counted.",
      schema: "RecordingList", ControlAPI.listRecordings),
    ControlRoute(
      .get, "/__mock/recordings/{id}",
      "Shows one of the last recorded exchanges in the form in which it will be saved.", schema: "Recording",
      ControlAPI.showRecording
    ),
    ControlRoute(
      .get, "/__mock/misses",
      "Shows the last misses and approximations, with the nearest recordings and the differences.",
      schema: "Misses", { JournalCalls(api: $0).misses }),
    ControlRoute(
      .post, "/__mock/verify",
      "Verifies that a request was received the expected number of times, or several in an order.",
      content: .members(
        expectation + [
          .init("times", nil, "{\"atLeast\": 1}, \"atMost\", \"exactly\", or a number; default: at least once."),
          .init(
            "order", .array, of: .object,
            "Instead of \"request\": requests as {\"request\": {…}} that were received in this order."),
        ]), others: [(409, conflict)], schema: "Verification", { VerificationCalls(api: $0).verify }),
    ControlRoute(
      .post, "/__mock/wait", "Waits until a request has been received.",
      content: .members(
        expectation + [
          .init("times", nil, "The number of requests to wait for; default: 1."),
          .init("seconds", .integer, "The longest wait in seconds; default: 5, maximum: 60."),
        ]), others: [(409, conflict)], schema: "Verification", { VerificationCalls(api: $0).wait }),
  ]

  private static let server: [ControlRoute] = [
    ControlRoute(
      .get, "/__mock/health", "Shows the health of the server and the number of times its files were loaded.",
      query: [
        .init("generation", .integer, "Waits until the files have been loaded this many times; each edit adds one."),
        .init("seconds", .integer, "The longest wait for \"generation\" in seconds; default: 5, maximum: 60."),
      ], others: [(409, "An edited file could not be loaded; \"detail\" gives the reason.")], schema: "Health",
      ControlAPI.health),
    ControlRoute(
      .get, "/__mock/metrics", "Shows the counters in the Prometheus text format.", answers: "text/plain",
      ControlAPI.metrics),
    ControlRoute(.get, "/__mock/openapi.json", "Describes this API (OpenAPI 3.1).", schema: "Document") { _ in
      { _ in .response(ControlDocument.response) }
    },
  ]

  // MARK: The routes that write to cassettes, and those of the inspector

  static let edits: [ControlRoute] = [
    ControlRoute(
      .post, "/__mock/journal/{id}/accept",
      "Turns a miss into a recording by the smallest edit of a cassette; shows the edit and writes it.",
      content: .members([
        .init(
          "how", .string,
          "ignore: the nearest recording ignores the differences; copy: a new one with the nearest one's response; "
            + "upstream: a new one with the live server's response."),
        .init("nearest", .string, "The id of one of the nearest recordings; default: the first."),
        .init("parts", .array, "The differences to ignore, as named in \"differs\": [\"query.page\"]; default: all."),
        .init("cassette", .string, "The cassette for the new recording; default: that of the nearest recording."),
        .init("interaction", .object, "With copy: the new recording, in the format of a cassette."),
        .init("origin", .string, "With upstream: the live server; default: the recorded origin."),
        .init("dryRun", .boolean, "True to show the edit without writing it; POST /__mock/edits/{id}/apply writes it."),
      ]), others: [(409, "There is no possible edit, or it was not written.")], schema: "Edit",
      { EditCalls(api: $0).accept }),
    ControlRoute(
      .get, "/__mock/edits", "Lists the proposed, written and undone edits, oldest first.",
      schema: "EditList", { EditCalls(api: $0).listEdits }),
    ControlRoute(
      .post, "/__mock/edits/{id}/apply", "Writes a proposed edit, unless the file has changed since.",
      others: [(409, "The edit was not written.")], schema: "Edit", { EditCalls(api: $0).applyEdit }),
    ControlRoute(
      .post, "/__mock/edits/{id}/undo", "Undoes a written edit, unless the file has changed since.",
      others: [(409, "The edit was not undone.")], schema: "Edit", { EditCalls(api: $0).undoEdit }),
  ]

  static let page: [ControlRoute] = [
    ControlRoute(.get, "/__mock/", "Returns the inspector, a page for browsers.", answers: "text/html") { api in
      { _ in api.page(.page) }
    },
    ControlRoute(.get, "/__mock/inspector.js", "Returns the script of the inspector.", answers: "text/javascript") {
      api in
      { _ in api.page(.script) }
    },
    ControlRoute(.get, "/__mock/inspector.css", "Returns the style sheet of the inspector.", answers: "text/css") {
      api in
      { _ in api.page(.style) }
    },
    ControlRoute(
      .post, "/__mock/login", "Logs a browser in: exchanges the token for a cookie.",
      content: .members([.init("token", .string, "The token of --admin-token.")]),
      others: [(403, "The token is wrong."), (409, "The server does not require a token.")], schema: "Status",
      ControlAPI.logIn),
    ControlRoute(
      .post, "/__mock/logout", "Logs the browser out: invalidates the cookie.", schema: "Status", ControlAPI.logOut),
  ]
}
