/// Writes the cassettes to serve, with JSON bodies as written by a recorder.
enum Recordings {
  /// The path that every folder has a recording of.
  static let path = "/users/kean"
  private static let perCassette = 10_000

  /// Returns the path of another recording, numbered from 1.
  ///
  /// `walk` computes it in Lua.
  static func otherPath(_ number: Int) -> String { "/teams/\(number / 100)/members/\(number)" }

  /// The body of `path`: 1,024 bytes of compact JSON.
  static var body: String { String(decoding: profile(login: "kean", id: 1_567_433).compact.utf8, as: UTF8.self) }

  /// Writes a new folder with `count` recordings, one of which is of `path`.
  static func write(_ count: Int, in folder: String) throws -> String {
    let folder = "\(folder)/\(count)-recordings"
    try System.makeFolder(folder)
    if count > 0 {
      try System.write(
        cassette([interaction("get-users-kean", path, profile(login: "kean", id: 1_567_433))]),
        to: "\(folder)/kean.json")
    }
    for first in stride(from: 1, to: max(1, count), by: perCassette) {
      let interactions = (first..<min(first + perCassette, count)).map { number in
        interaction(
          "get-teams-\(number / 100)-members-\(number)", otherPath(number),
          profile(login: "member-\(number)", id: 583_231 + number))
      }
      try System.write(cassette(interactions), to: "\(folder)/teams-\(first / perCassette).json")
    }
    return folder
  }

  /// Writes a script for wrk that requests random recordings of a folder of `count`.
  ///
  /// Each thread chooses among 100,000 different requests for any `count`, so that the work of wrk is constant.
  static func walk(_ count: Int, in folder: String) throws -> String {
    let file = "\(folder)/walk-\(count).lua"
    try System.write(
      """
      local threads = 0
      function setup(thread) threads = threads + 1; thread:set("seed", threads) end
      local requests = {}
      function init()
        math.randomseed(seed)
        local host = wrk.headers["Host"]
        for i = 0, 99999 do
          local n = 1 + i % \(count - 1)
          local path = string.format("/teams/%d/members/%d", math.floor(n / 100), n)
          requests[i + 1] = string.format("GET %s HTTP/1.1\\r\\nHost: %s\\r\\nX-Request: %05d\\r\\n\\r\\n", path, host, i)
        end
      end
      function request() return requests[math.random(100000)] end

      """, to: file)
    return file
  }

  private static func cassette(_ interactions: [String]) -> String {
    """
    {
      "cassette": 1,
      "origin": "https://api.github.com",
      "interactions": [
    \(interactions.joined(separator: ",\n"))
      ]
    }

    """
  }

  private static func interaction(_ id: String, _ url: String, _ body: JSON) -> String {
    """
        {
          "id": "\(id)",
          "request": {
            "method": "GET",
            "url": "\(url)",
            "headers": [
              ["Accept", "application/vnd.github+json"]
            ]
          },
          "response": {
            "status": 200,
            "headers": [
              ["Content-Type", "application/json; charset=utf-8"]
            ],
            "body": {
              "json": \(body.indented(by: 10))
            }
          },
          "recorded": { "at": "2026-11-21T01:00:00Z", "firstByte": 0.083, "total": 0.091 }
        }
    """
  }

  /// Returns a person's profile as returned by an API, padded to 1,024 bytes.
  private static func profile(login: String, id: Int) -> JSON {
    func profile(_ bio: String) -> JSON {
      let address = "https://api.github.com/users/\(login)"
      return .object([
        ("login", .text(login)), ("id", .token("\(id)")), ("node_id", .text("MDQ6VXNlcg")),
        ("avatar_url", .text("https://avatars.githubusercontent.com/u/\(id)")), ("url", .text(address)),
        ("followers_url", .text("\(address)/followers")), ("repos_url", .text("\(address)/repos")),
        ("events_url", .text("\(address)/events")), ("type", .text("User")), ("site_admin", .token("false")),
        ("name", .text("A Person")), ("company", .token("null")), ("blog", .text("https://example.com")),
        ("location", .text("Cambridge")), ("bio", .text(bio)), ("public_repos", .token("71")),
        ("followers", .token("3211")), ("score", .token("1.0")),
        ("plan", .object([("name", .text("pro")), ("space", .token("976562499")), ("seats", .token("1"))])),
        ("topics", .array([.text("swift"), .text("images"), .text("caching")])),
        ("created_at", .text("2012-03-22T05:36:04Z")), ("updated_at", .text("2026-11-20T20:02:11Z")),
      ])
    }
    let words = String(repeating: "Writes software and about it; walks the rest of the day. ", count: 20)
    return profile(String(words.prefix(max(0, 1024 - profile("").compact.utf8.count))))
  }
}

/// JSON in two layouts.
///
/// Strings need no escapes here.
private indirect enum JSON {
  case token(String)
  case text(String)
  case array([JSON])
  case object([(String, JSON)])

  var compact: String {
    switch self {
    case .token(let token): token
    case .text(let text): "\"\(text)\""
    case .array(let elements): "[" + elements.map(\.compact).joined(separator: ",") + "]"
    case .object(let members): "{" + members.map { "\"\($0)\":\($1.compact)" }.joined(separator: ",") + "}"
    }
  }

  func indented(by spaces: Int) -> String {
    let outer = String(repeating: " ", count: spaces)
    let inner = "\n\(outer)  "
    switch self {
    case .token, .text: return compact
    case .array(let elements):
      return "[" + elements.map { inner + $0.indented(by: spaces + 2) }.joined(separator: ",") + "\n\(outer)]"
    case .object(let members):
      let lines = members.map { inner + "\"\($0)\": " + $1.indented(by: spaces + 2) }
      return "{" + lines.joined(separator: ",") + "\n\(outer)}"
    }
  }
}
