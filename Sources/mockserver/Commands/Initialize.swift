import CassetteMaintenance
internal import CassetteSystem
import Cassettes
import MockServerConsole

/// The command `init`, which writes a first cassette, a fixture and their README.
enum Initialize {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let folder = invocation.operands.first ?? "cassettes"
    let serving = folder == "cassettes" ? "mockserver" : "mockserver --cassettes \(ShellWord.path(folder))"
    let files = files(serving).map { (path: Folder.join(folder, $0.name), text: $0.text) }
    for (path, _) in files where Folder.kind(of: path) != .missing {
      throw CommandError(
        .usage, "\(Printable.escaped(path)) already exists, and nothing was written",
        hint: "Serve it: \(Printable.escaped(serving))\nOr name another folder: mockserver init DIR")
    }
    for (path, text) in files {
      try Paths.makeFolder(of: path)
      try Paths.write(Array(text.utf8), to: path)
      Console.output.write("created \(Printable.escaped(path))\n")
    }
    Console.output.write(
      "Serve them:         \(Printable.escaped(serving))\n"
        + "In a second shell:  curl http://127.0.0.1:8080/users/ada\n")
    return .success
  }

  private static func files(_ serving: String) -> [(name: String, text: String)] {
    [
      (
        "example.json",
        """
        {
          "cassette": 1,
          "origin": "https://api.example.com",
          "interactions": [
            {
              "request": { "method": "GET", "url": "/users/ada" },
              "response": { "status": 200, "body": { "json": { "login": "ada", "name": "Ada Lovelace" } } }
            },
            {
              "request": { "method": "POST", "url": "/users", "body": { "json": { "login": "eve" } } },
              "response": { "status": 201, "body": { "json": { "login": "eve", "id": 2 } } }
            }
          ]
        }

        """
      ),
      ("fixtures/status.json", "{ \"status\": \"good\" }\n"),
      (
        "README.md",
        """
        # Cassettes

        mockserver answers requests from the files in this folder: `\(serving)`

        - `example.json` is a cassette, a list of requests and their responses. It answers `GET /users/ada`, and
          `POST /users` with the body `{"login": "eve"}`. Edit it while the server runs.
        - `fixtures/status.json` answers `GET /status`: the path of the file is the path of the request.
        - Other requests are misses. The response, the log and http://127.0.0.1:8080/__mock/ explain each of them.

        `mockserver record --help` records a live server, `mockserver check` finds mistakes in cassettes.

        """
      ),
    ]
  }
}
