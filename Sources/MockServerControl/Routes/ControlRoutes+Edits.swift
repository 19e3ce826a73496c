internal import CassetteHTTP

/// The routes that write to cassettes, and those of the inspector.
extension ControlRoutes {
  static let edits: [ControlRoute] = [
    ControlRoute(
      .post, "/__mock/journal/{id}/accept",
      "Has a request answered from now on, by the smallest edit of a cassette; the edit is shown and written.",
      content: .members([
        .init(
          "how", .string,
          "ignore: the nearest recording leaves out what differs; copy: a new one is answered as the nearest; upstream: "
            + "a new one has what the live server answers."),
        .init("nearest", .string, "Which of the nearest recordings, by its id; the first without it."),
        .init("parts", .array, "What is ignored, as \"differs\" names it: [\"query.page\"]; all without it."),
        .init("cassette", .string, "Where the new recording goes; beside the nearest without it."),
        .init("interaction", .object, "With copy: the recording as it is to be, as a cassette has it."),
        .init("origin", .string, "With upstream: whom to ask; the recorded origin without it."),
        .init("dryRun", .boolean, "Shows the edit and writes nothing; POST /__mock/edits/{id}/apply writes it."),
      ]), others: [(409, "Why there is no edit, or why it was not written.")], schema: "Edit", ControlAPI.accept),
    ControlRoute(
      .get, "/__mock/edits", "Lists the edits that were proposed, written and taken back, the oldest first.",
      schema: "EditList", ControlAPI.listEdits),
    ControlRoute(
      .post, "/__mock/edits/{id}/apply", "Writes an edit, unless the file was edited since.",
      others: [(409, "Why it was not written.")], schema: "Edit", ControlAPI.applyEdit),
    ControlRoute(
      .post, "/__mock/edits/{id}/undo", "Takes an edit back that was written, unless the file was edited since.",
      others: [(409, "Why it was not taken back.")], schema: "Edit", ControlAPI.undoEdit),
  ]

  static let page: [ControlRoute] = [
    ControlRoute(.get, "/__mock/", "Shows the inspector, a page for browsers.", answers: "text/html") { api in
      { _ in api.page(.page) }
    },
    ControlRoute(.get, "/__mock/inspector.js", "Gives the page its script.", answers: "text/javascript") { api in
      { _ in api.page(.script) }
    },
    ControlRoute(.get, "/__mock/inspector.css", "Gives the page its style.", answers: "text/css") { api in
      { _ in api.page(.style) }
    },
    ControlRoute(
      .post, "/__mock/login", "Takes the token, and gives a browser a cookie in its place.",
      content: .members([.init("token", .string, "The token of --admin-token.")]),
      others: [(403, "It is another one."), (409, "The server asks for none.")], schema: "Status", ControlAPI.logIn),
    ControlRoute(.post, "/__mock/logout", "Forgets the cookie.", schema: "Status", ControlAPI.logOut),
  ]
}
