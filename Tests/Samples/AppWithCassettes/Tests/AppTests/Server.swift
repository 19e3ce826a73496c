import Foundation

/// The servers to send requests to: those of the app, or other servers in the environment to record from.
enum Server {
  static let gitHub = ProcessInfo.processInfo.environment["GITHUB_URL"] ?? "https://api.github.com"
  static let starWars = ProcessInfo.processInfo.environment["SWAPI_URL"] ?? "https://swapi.dev"
}
