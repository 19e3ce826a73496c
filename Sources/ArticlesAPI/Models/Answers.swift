/// The content of the response to signing in.
struct SignedIn: Decodable {
  let token: String
  let user: Author
}

/// The content of an error response.
struct Refusal: Decodable {
  let message: String
  let fields: [String: [String]]?
}
