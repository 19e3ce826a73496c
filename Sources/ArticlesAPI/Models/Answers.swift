/// The server's answer to signing in.
struct SignedIn: Decodable {
  let token: String
  let user: Author
}

/// The server's answer to a request that it refuses.
struct Refusal: Decodable {
  let message: String
  let fields: [String: [String]]?
}
