import Foundation

/// The servers that the tests ask: the app's own, unless the environment names one to record from.
enum Server {
  static let gitHub = ProcessInfo.processInfo.environment["GITHUB_URL"] ?? "https://api.github.com"
  static let starWars = ProcessInfo.processInfo.environment["SWAPI_URL"] ?? "https://swapi.dev"
}
