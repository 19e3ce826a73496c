import ArticlesAPI
import ClientTestSupport
import Foundation
import Testing

@Suite struct TokenTests {
  @Test(arguments: [
    (Token.bearer("abc"), "Bearer abc"),
    (.basic(user: "Aladdin", password: "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
    (.basic(user: "ada", password: "sêcret"), "Basic YWRhOnPDqmNyZXQ="),
  ])
  func `a token is written as the value of an Authorization field`(token: Token, value: String) {
    #expect(token.authorization == value)
  }

  @Test(arguments: [Token.bearer("hidden"), .basic(user: "ada", password: "hidden")])
  func `a printed token does not show its secret`(token: Token) {
    var dumped = ""
    dump(token, to: &dumped)
    for text in ["\(token)", String(reflecting: token), dumped, "\([token])"] { #expect(!text.contains("hidden")) }
  }

  @Test func `a printed route does not show its credentials`() {
    let route = Route.signIn(Credentials(email: "ada@example.com", password: "hidden"))
    #expect(!"\(route)".contains("hidden"))
    #expect(!String(reflecting: route).contains("hidden"))
  }
}

@Suite struct FileTokenStoreTests {
  /// Runs a closure with a store in a temporary folder, which is removed afterwards.
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
  func `a saved token is read back`(token: Token) throws {
    try inFolder { store, _ in
      #expect(try store.token() == nil)
      try store.save(token)
      #expect(try store.token() == token)
      #expect(try FileTokenStore(store.url).token() == token)
    }
  }

  @Test func `a saved token is the only file in its folder and is readable only by its owner`() throws {
    try inFolder { store, folder in
      try store.save(.bearer("abc"))
      #expect(try mode(of: store.url) == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["token"])
    }
  }

  @Test func `saving a token replaces a file that others can read`() throws {
    try inFolder { store, _ in
      #expect(FileManager.default.createFile(atPath: store.url.path, contents: Data("old".utf8)))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store.url.path)
      try store.save(.bearer("abc"))
      #expect(try mode(of: store.url) == 0o600)
      #expect(try store.token() == .bearer("abc"))
    }
  }

  @Test(arguments: [0o640, 0o604, 0o644, 0o660])
  func `a token file that others can read is refused with a chmod command`(mode: Int) throws {
    try inFolder { store, _ in
      try store.save(.bearer("abc"))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: store.url.path)
      let error = #expect(throws: TokenStoreError.self) { try store.token() }
      #expect(error?.localizedDescription.contains("chmod 600 '\(store.url.path)'") == true)
    }
  }

  @Test func `clearing the store twice removes the file`() throws {
    try inFolder { store, folder in
      try store.save(.bearer("abc"))
      try store.clear()
      try store.clear()
      #expect(try store.token() == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test func `a damaged token file throws an error that says to sign in again`() throws {
    try inFolder { store, _ in
      try store.save(.bearer("abc"))
      try Data("half a tok".utf8).write(to: store.url)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: store.url.path)
      let error = #expect(throws: TokenStoreError.self) { try store.token() }
      #expect(error?.problem.contains("sign in again") == true)
    }
  }

  @Test func `saving into a missing folder throws an error with the path`() {
    let store = FileTokenStore(URL(filePath: "/nowhere/at/all/token"))
    let error = #expect(throws: TokenStoreError.self) { try store.save(.bearer("abc")) }
    #expect(error?.localizedDescription.contains("/nowhere/at/all/token: cannot be written") == true)
  }

  @Test(arguments: Player.allCases)
  func `a client is still signed in after a second launch`(player: Player) async throws {
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
