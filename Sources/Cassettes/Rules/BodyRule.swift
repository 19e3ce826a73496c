package import CassetteJSON

/// A condition on a request's body.
package indirect enum BodyRule: Hashable, Sendable {
  /// The text meets a condition.
  case text(Condition)
  /// These bytes, no text.
  case base64([UInt8])
  /// A JSON value, compact, and what may differ from it.
  case json([UInt8], ignoring: [JSONQuery], extra: Bool, order: Bool)
  /// Values that paths lead to in a JSON text.
  case values([PlacedCondition])
  /// Fields of a form.
  case form(NamedConditions)
  /// JSON that a schema allows.
  case schema(BodySchema)
  /// Parts of a multipart body, each of which has to be there.
  case parts([PartRule])
  case graphQL(GraphQLRule)
  case jsonRPC(JSONRPCRule)
  /// All of them.
  case and([BodyRule])
  /// At least one of them.
  case or([BodyRule])
  case not(BodyRule)
}

/// A condition for the values that a path leads to.
package struct PlacedCondition: Hashable, Sendable {
  package var place: JSONQuery
  package var condition: Condition

  package init(_ place: JSONQuery, _ condition: Condition) {
    self.place = place
    self.condition = condition
  }
}

/// A condition on one part of a multipart body, or on every part.
package struct PartRule: Hashable, Sendable {
  package var name: Condition?
  package var filename: Condition?
  package var headers = NamedConditions()
  /// All of which have to be met.
  package var body: [BodyRule] = []
  /// True if every part has to meet it; else one is enough.
  package var isEvery = false

  package init() {}
}

/// A condition on a GraphQL request.
package struct GraphQLRule: Hashable, Sendable {
  /// The name of the operation that runs.
  package var operation: Condition?
  /// `query`, `mutation` or `subscription`.
  package var type: Condition?
  /// The document, whatever its spelling.
  package var query: String?
  /// Values that paths lead to among the variables.
  package var variables: [PlacedCondition] = []

  package init() {}
}

/// A condition on a call of JSON-RPC 2.0.
package struct JSONRPCRule: Hashable, Sendable {
  package var method: Condition?
  /// Values that paths lead to among the parameters.
  package var params: [PlacedCondition] = []

  package init() {}
}

/// The credentials in a request's `Authorization`.
package enum AuthorizationRule: Hashable, Sendable {
  case none
  /// Basic credentials (RFC 7617); nil for any.
  case basic(user: Condition?, password: Condition?)
  /// A bearer token (RFC 6750); nil for any.
  case bearer(Condition?)
}
