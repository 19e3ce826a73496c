import APIClientKit
import Foundation

// An API as Get's documentation and the essay it grew from define one: a value for each resource, a request for each method.

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

/// Not `Sendable`, as a public type is not by itself: Get does not ask for it in what is decoded.
struct User: Codable {
  var id: Int
  var login: String
  var name: String?
}

@available(*, unavailable) extension User: Sendable {}

/// The user, where one is sent: what is sent has to be `Sendable` here.
struct NewUser: Codable {
  var id: Int
  var login: String
}

struct Repo: Decodable {
  var name: String
}

/// The essay names its tree so, and Get's pages so.
typealias Resources = Paths
typealias API = Paths
