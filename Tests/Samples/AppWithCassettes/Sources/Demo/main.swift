import App
import CassetteSession
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// A program that can be started on cassettes, as a UI test starts an app:
//   CASSETTES=$PWD/Tests/AppTests/Cassettes/github-developer.json swift run Demo
// Without the variable it asks GitHub.
let session = CassettePlayer.launched()?.session() ?? URLSession.shared
let developer = try await GitHub(session: session).developer("kean")
print("\(developer.login) is \(developer.name ?? "nameless")")
