/// What signing in is answered by.
struct SignedIn: Decodable {
  let token: String
  let user: Author
}

/// What a refusal is answered by.
struct Refusal: Decodable {
  let message: String
  let fields: [String: [String]]?
}
