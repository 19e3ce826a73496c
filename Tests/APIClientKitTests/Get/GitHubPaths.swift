import APIClientKit
import Foundation

// An API defined as in Get's documentation and essay: a value for each resource, and a request for each method.

enum Paths {
  static var user: UserResource { UserResource() }
  static func users(_ name: String) -> UsersResource { UsersResource(path: "/users/\(name)") }

  struct UserResource {
    let path: String = "/user"
    var get: Request<User> { .init(path: path) }
    var emails: EmailsResource { EmailsResource() }
  }

  struct EmailsResource {
    let path: String = "/user/emails"
    var get: Request<[UserEmail]> { .init(path: path) }
    func post(_ emails: [String]) -> Request<Void> { .init(path: path, method: .post, body: emails) }
    func delete() -> Request<Void> { .init(path: path, method: .delete) }
  }

  struct UsersResource {
    let path: String
    var get: Request<User> { .get(path) }
    var repos: ReposResource { ReposResource(path: path + "/repos") }
  }

  struct ReposResource {
    let path: String
    var get: Request<[Repo]> { .get(path) }
  }
}

struct UserEmail: Decodable {
  var email: String
  var verified: Bool
}

/// Not `Sendable`, like a public type without the conformance.
///
/// Get does not require it of decoded types.
struct User: Codable {
  var id: Int
  var login: String
  var name: String?
}

@available(*, unavailable) extension User: Sendable {}

/// A user that is sent.
///
/// Request bodies must be `Sendable` here.
struct NewUser: Codable {
  var id: Int
  var login: String
}

struct Repo: Decodable {
  var name: String
}

/// The names of the tree in the essay and in Get's documentation.
typealias Resources = Paths
typealias API = Paths
