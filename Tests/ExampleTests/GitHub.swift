import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client as in an app: it receives its session, and does not use cassettes itself.
struct GitHub {
  struct User: Decodable {
    let login: String
    let followers: Int?
  }

  struct Failure: Error, Equatable {
    let status: Int
  }

  let session: URLSession
  var baseURL = "https://api.github.com"
  var timeout: TimeInterval = 60

  func user(_ login: String) async throws -> User {
    let (data, response) = try await session.data(
      for: URLRequest(url: url("/users/\(login)"), timeoutInterval: timeout))
    try check(response)
    return try JSONDecoder().decode(User.self, from: data)
  }

  /// Fetches a user, and retries once if the service is busy.
  func patientUser(_ login: String) async throws -> User {
    do {
      return try await user(login)
    } catch let failure as Failure where failure.status == 503 {
      return try await user(login)
    }
  }

  /// Downloads a picture to a file.
  func avatar(of login: String) async throws -> URL {
    let (file, response) = try await session.download(from: url("/avatars/\(login).png"))
    try check(response)
    return file
  }

  private func url(_ path: String) throws -> URL {
    guard let url = URL(string: baseURL + path) else { throw URLError(.badURL) }
    return url
  }

  private func check(_ response: URLResponse) throws {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw Failure(status: status) }
  }
}
