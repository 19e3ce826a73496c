import CassetteSession
import CassetteSystem
import Foundation
import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A to-do list server, as specified by todobackend.com.
final class TodoBackend: Sendable {
  private struct Todo {
    var id: Int
    var title: String
    var order: Int?
    var completed = false
  }

  private struct State {
    var todos: [Todo] = []
    var last = 0
  }

  let origin: LoopbackOrigin

  init() throws {
    let state = Locked(State())
    origin = try LoopbackOrigin { request in
      let (status, body) = state.withLock { Self.answer(request, &$0) }
      let content = body.map { (try? JSONSerialization.data(withJSONObject: $0, options: [.sortedKeys])) ?? Data() }
      let type = content == nil ? "" : "Content-Type: application/json\r\n"
      let head = "HTTP/1.1 \(status)\r\n\(type)Content-Length: \(content?.count ?? 0)\r\n\r\n"
      return [.send(Array(head.utf8) + Array(content ?? Data()))]
    }
  }

  private static func answer(_ request: LoopbackOrigin.Request, _ state: inout State) -> (String, Any?) {
    let base = "http://\(request.value(of: "Host") ?? "")/todos"
    func shown(_ todo: Todo) -> [String: Any] {
      [
        "id": todo.id, "title": todo.title, "completed": todo.completed,
        "order": todo.order.map { $0 as Any } ?? NSNull(),
        "url": "\(base)/\(todo.id)",
      ]
    }
    func apply(_ sent: [String: Any], to todo: inout Todo) {
      if let title = sent["title"] as? String { todo.title = title }
      if let order = sent["order"] as? Int { todo.order = order }
      if let completed = sent["completed"] as? Bool { todo.completed = completed }
    }
    let sent = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
    if request.target == "/todos" {
      switch request.method {
      case "GET": return ("200 OK", state.todos.map(shown))
      case "DELETE":
        state.todos = []
        return ("204 No Content", nil)
      default:
        state.last += 1
        var todo = Todo(id: state.last, title: "")
        apply(sent, to: &todo)
        state.todos.append(todo)
        return ("201 Created", shown(todo))
      }
    }
    guard let id = Int(request.target.dropFirst("/todos/".count)),
      let index = state.todos.firstIndex(where: { $0.id == id })
    else { return ("404 Not Found", ["message": "there is no todo"]) }
    switch request.method {
    case "GET": break
    case "DELETE":
      state.todos.remove(at: index)
      return ("204 No Content", nil)
    default: apply(sent, to: &state.todos[index])
    }
    return ("200 OK", shown(state.todos[index]))
  }
}

/// A to-do as a client decodes it.
struct Todo: Decodable, Equatable {
  var title: String
  var completed: Bool
  var order: Int?
  var url: URL
}

/// A client of a to-do list, in one session of a mock server.
struct TodoClient: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let root: URL
  let session: URLSession
  /// The session name for the mock server; nil for the default session.
  var name: String?
  /// The player that answers in this process; kept alive by the client.
  var player: CassettePlayer?

  @discardableResult
  private func ask(_ method: String, _ url: URL, _ body: [String: any Sendable]? = nil) async throws -> Data {
    var request = URLRequest(url: url)
    request.httpMethod = method
    if let name { request.setValue(name, forHTTPHeaderField: "X-Mock-Session") }
    if let body {
      request.httpBody = try JSONSerialization.data(withJSONObject: body, options: [.sortedKeys])
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let (data, response) = try await session.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200...299).contains(status) else {
      throw Failure(description: "\(method) \(url): \(status) \(String(decoding: data.prefix(300), as: UTF8.self))")
    }
    return data
  }

  func list() async throws -> [Todo] { try decode(try await ask("GET", root)) }
  func get(_ url: URL) async throws -> Todo { try decode(try await ask("GET", url)) }
  func post(_ body: [String: any Sendable]) async throws -> Todo { try decode(try await ask("POST", root, body)) }
  func patch(_ url: URL, _ body: [String: any Sendable]) async throws -> Todo {
    try decode(try await ask("PATCH", url, body))
  }
  func delete(_ url: URL? = nil) async throws { try await ask("DELETE", url ?? root) }

  private func decode<T: Decodable>(_ data: Data) throws -> T { try JSONDecoder().decode(T.self, from: data) }
}

/// The tests of todobackend.com, with their original names and order.
struct TodoTest: Sendable {
  let name: String
  let run: @Sendable (TodoClient) async throws -> Bool

  init(_ name: String, _ run: @escaping @Sendable (TodoClient) async throws -> Bool) {
    self.name = name
    self.run = run
  }

  static let requirements = [
    TodoTest("the api root responds to a GET") { client in
      _ = try await client.list()
      return true
    },
    TodoTest("the api root responds to a POST with the todo which was posted to it") { client in
      try await client.post(["title": "a todo"]).title == "a todo"
    },
    TodoTest("the api root responds successfully to a DELETE") { client in
      try await client.delete()
      return true
    },
    TodoTest("after a DELETE the api root responds to a GET with an empty array") { client in
      try await client.delete()
      return try await client.list().isEmpty
    },
  ]

  static let twelve = [
    TodoTest("adds a new todo to the list of todos at the root url") { client in
      try await client.delete()
      _ = try await client.post(["title": "walk the dog"])
      return try await client.list().map(\.title) == ["walk the dog"]
    },
    TodoTest("sets up a new todo as initially not completed") { client in
      try await client.delete()
      let todo = try await client.post(["title": "blah"])
      let listed = try await client.list()
      return !todo.completed && listed.first?.completed == false
    },
    TodoTest("each new todo has a url") { client in
      try await client.delete()
      let todo = try await client.post(["title": "blah"])
      return try await client.list().first?.url == todo.url
    },
    TodoTest("each new todo has a url, which returns a todo") { client in
      try await client.delete()
      let todo = try await client.post(["title": "my todo"])
      return try await client.get(todo.url).title == "my todo"
    },
    TodoTest("can navigate from a list of todos to an individual todo via urls") { client in
      try await client.delete()
      _ = try await client.post(["title": "todo the first"])
      _ = try await client.post(["title": "todo the second"])
      let list = try await client.list()
      guard list.count == 2 else { return false }
      return try await client.get(list[0].url) == list[0]
    },
    TodoTest("can change the todo's title by PATCHing to the todo's url") { client in
      try await client.delete()
      let todo = try await client.post(["title": "initial title"])
      return try await client.patch(todo.url, ["title": "bathe the cat"]).title == "bathe the cat"
    },
    TodoTest("can change the todo's completedness by PATCHing to the todo's url") { client in
      try await client.delete()
      let todo = try await client.post(["title": "blah"])
      return try await client.patch(todo.url, ["completed": true]).completed
    },
    TodoTest("changes to a todo are persisted and show up when re-fetching the todo") { client in
      try await client.delete()
      let todo = try await client.post(["title": "blah"])
      let patched = try await client.patch(todo.url, ["title": "changed title", "completed": true])
      let again = try await client.get(patched.url)
      let list = try await client.list()
      return again.completed && again.title == "changed title" && list == [again]
    },
    TodoTest("can delete a todo making a DELETE request to the todo's url") { client in
      try await client.delete()
      let todo = try await client.post(["title": "blah"])
      try await client.delete(todo.url)
      return try await client.list().isEmpty
    },
    TodoTest("can create a todo with an order field") { client in
      try await client.post(["title": "blah", "order": 523]).order == 523
    },
    TodoTest("can PATCH a todo to change its order") { client in
      let todo = try await client.post(["title": "blah", "order": 10])
      return try await client.patch(todo.url, ["order": 95]).order == 95
    },
    TodoTest("remembers changes to a todo's order") { client in
      let todo = try await client.post(["title": "blah", "order": 10])
      let patched = try await client.patch(todo.url, ["order": 95])
      return try await client.get(patched.url).order == 95
    },
  ]
}
