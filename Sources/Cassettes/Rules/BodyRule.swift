package import CassetteJSON

/// A condition on a request's body.
package indirect enum BodyRule: Hashable, Sendable {
  /// The body as text meets a condition.
  case text(Condition)
  /// The body has exactly these bytes.
  case base64([UInt8])
  /// The body equals a compact JSON value, apart from the allowed differences.
  case json([UInt8], ignoring: [JSONQuery], extra: Bool, order: Bool)
  /// The values at paths in a JSON body meet conditions.
  case values([PlacedCondition])
  /// The fields of a form meet conditions.
  case form(NamedConditions)
  /// The body is JSON that is valid according to a schema.
  case schema(BodySchema)
  /// A multipart body has a part for each of the rules.
  case parts([PartRule])
  case graphQL(GraphQLRule)
  case jsonRPC(JSONRPCRule)
  /// The body meets all of these rules.
  case and([BodyRule])
  /// The body meets at least one of these rules.
  case or([BodyRule])
  case not(BodyRule)
}

/// A condition on the values that a path selects.
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
  /// The rules for the part's body, all of which must be met.
  package var body: [BodyRule] = []
  /// True if every part must meet the rule; false if one part is enough.
  package var isEvery = false

  package init() {}
}

/// A condition on a GraphQL request.
package struct GraphQLRule: Hashable, Sendable {
  /// The name of the operation to execute.
  package var operation: Condition?
  /// `query`, `mutation` or `subscription`.
  package var type: Condition?
  /// The document, regardless of its formatting.
  package var query: String?
  /// Conditions on values at paths in the variables.
  package var variables: [PlacedCondition] = []

  package init() {}
}

/// A condition on a JSON-RPC 2.0 call.
package struct JSONRPCRule: Hashable, Sendable {
  package var method: Condition?
  /// Conditions on values at paths in the parameters.
  package var params: [PlacedCondition] = []

  package init() {}
}

/// The credentials in a request's `Authorization` field.
package enum AuthorizationRule: Hashable, Sendable {
  case none
  /// Basic credentials (RFC 7617); nil matches any value.
  case basic(user: Condition?, password: Condition?)
  /// A bearer token (RFC 6750); nil matches any token.
  case bearer(Condition?)
}
