import App
import CassetteSession
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// A program that can run on cassettes, like an app that a UI test launches:
//   CASSETTES=$PWD/Tests/AppTests/Cassettes/github-developer.json swift run Demo
// Without the variable, it sends its request to GitHub.
let session = CassettePlayer.launched()?.session() ?? URLSession.shared
let developer = try await GitHub(session: session).developer("kean")
print("\(developer.login) is \(developer.name ?? "nameless")")
