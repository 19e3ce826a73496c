internal import CassetteHTTP

/// The routes that write to cassettes, and those of the inspector.
extension ControlRoutes {
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
