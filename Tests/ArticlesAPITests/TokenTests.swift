import ArticlesAPI
import ClientTestSupport
import Foundation
import Testing

@Suite struct `A token` {
  @Test(arguments: [
    (Token.bearer("abc"), "Bearer abc"),
    (.basic(user: "Aladdin", password: "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
    (.basic(user: "ada", password: "sêcret"), "Basic YWRhOnPDqmNyZXQ="),
  ])
  func `is the value of a field`(token: Token, value: String) {
    #expect(token.authorization == value)
  }

  @Test(arguments: [Token.bearer("hidden"), .basic(user: "ada", password: "hidden")])
  func `does not show its secret when it is printed`(token: Token) {
    var dumped = ""
    dump(token, to: &dumped)
    for text in ["\(token)", String(reflecting: token), dumped, "\([token])"] { #expect(!text.contains("hidden")) }
  }

  @Test func `nor do credentials and the routes that carry them`() {
    let route = Route.signIn(Credentials(email: "ada@example.com", password: "hidden"))
    #expect(!"\(route)".contains("hidden"))
    #expect(!String(reflecting: route).contains("hidden"))
  }
}

@Suite struct `A file that keeps a token` {
  /// A folder of one's own, gone after the test.
  private func inFolder(_ body: (FileTokenStore, URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(FileTokenStore(folder.appending(path: "token")), folder)
  }

  private func mode(of url: URL) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test(arguments: [Token.bearer("abc"), .basic(user: "ada", password: "sêcret")])
  func `gives back what it was given`(token: Token) throws {
    try inFolder { store, _ in
      #expect(try store.token() == nil)
      try store.save(token)
      #expect(try store.token() == token)
      #expect(try FileTokenStore(store.url).token() == token)
    }
  }

  @Test func `is its owner's alone, and the only file that is left`() throws {
    try inFolder { store, folder in
      try store.save(.bearer("abc"))
      #expect(try mode(of: store.url) == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["token"])
    }
  }

  @Test func `takes the place of a file that others may read`() throws {
    try inFolder { store, _ in
      #expect(FileManager.default.createFile(atPath: store.url.path, contents: Data("old".utf8)))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store.url.path)
      try store.save(.bearer("abc"))
      #expect(try mode(of: store.url) == 0o600)
      #expect(try store.token() == .bearer("abc"))
    }
  }

  @Test(arguments: [0o640, 0o604, 0o644, 0o660]) func `is refused when others may read it`(mode: Int) throws {
    try inFolder { store, _ in
      try store.save(.bearer("abc"))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: store.url.path)
      let error = #expect(throws: TokenStoreError.self) { try store.token() }
      #expect(error?.localizedDescription.contains("chmod 600 '\(store.url.path)'") == true)
    }
  }

  @Test func `is gone when it is cleared, as often as one likes`() throws {
    try inFolder { store, folder in
      try store.save(.bearer("abc"))
      try store.clear()
      try store.clear()
      #expect(try store.token() == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test func `that holds something else says so`() throws {
    try inFolder { store, _ in
      try store.save(.bearer("abc"))
      try Data("half a tok".utf8).write(to: store.url)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store.url.path)
      let error = #expect(throws: TokenStoreError.self) { try store.token() }
      #expect(error?.problem.contains("sign in again") == true)
    }
  }

  @Test func `in a folder that is not there says so`() {
    let store = FileTokenStore(URL(filePath: "/nowhere/at/all/token"))
    let error = #expect(throws: TokenStoreError.self) { try store.save(.bearer("abc")) }
    #expect(error?.localizedDescription.contains("/nowhere/at/all/token: cannot be written") == true)
  }

  @Test(arguments: Player.allCases) func `keeps a client signed in from launch to launch`(player: Player) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "token")
    try await player.play("articles", in: Player.shipped, tokens: FileTokenStore(file)) { client in
      try await client.signIn(Credentials(email: "ada@example.com", password: "s3cret"))
    }
    try await player.play("articles", in: Player.shipped, tokens: FileTokenStore(file)) { client in
      try await client.delete(3)
    }
  }
}
