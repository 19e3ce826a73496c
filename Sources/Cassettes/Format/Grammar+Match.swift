/// The keys of `match`.
extension Grammar {
  static let match = ObjectTable<MatchRules, MatchRules>(
    "match", "The rules for the requests that the recording answers.",
    schema:
      #""dependencies": { "url": { "not": { "anyOf": [{ "required": ["path"] }, { "required": ["query"] }] } } }"#,
    keys: [
      .member("note", \.note, .text, "A comment: the reason for this rule."),
      .member("method", \.methods, .methods, "A method, a list of methods, ANY, or all methods except some."),
      .member("url", \.url, .condition, "A condition on the path with the query."),
      .member("path", \.path, .path, "A template such as /users/{name}/repos, or conditions."),
      .value("query", \.query, .named(), default: NamedConditions()),
      .value("origin", \.ignoresOrigin, .ignore, default: false, "The recording answers requests to any origin."),
      .value("headers", \.writtenHeaders, .named(areFields: true), default: NamedConditions()),
      .value(
        "recordedHeaders", \.recordedHeaders, .fieldNames, default: [],
        "Header fields that must have their recorded values."),
      .value("cookies", \.cookies, .named(), default: NamedConditions()),
      .member("authorization", \.authorization, .authorization, "Conditions on basic or bearer credentials, or none."),
      .value("body", \.bodyRules, .bodyRules, default: BodyRules()),
      .value(
        "priority", \.priority, .int32("a whole number: the greater comes first"), default: 0,
        "Recordings with a greater priority are preferred."),
    ]
  ) { reader, bytes, start, walk, rules throws(CassetteError) in
    if rules.url != nil, walk.has("path") || walk.has("query") {
      try reader.report(
        bytes, start, "\"url\" includes the path and the query: write either \"url\", or \"path\" and \"query\"")
    }
  }

  /// The object that is a value of `method`, with one key.
  static let methods = ObjectTable<[String], [String]>(
    "otherMethods",
    keys: [
      Key("not", schema: reference("methods"), isRequired: true) { reader, bytes, names throws(CassetteError) in
        names = try reader.readMethodList(bytes)
      } write: {
        $0.append($1)
      }
    ])

  static let authorization = ObjectTable<[AuthorizationRule], [AuthorizationRule]>(
    "authorization", schema: #""minProperties": 1, "maxProperties": 1"#,
    keys: [
      .part("basic", .basic) {
        $0.append(.basic(user: $1.user, password: $1.password))
      } part: {
        if case .basic(let user, let password)? = $0.first { BasicObject(user: user, password: password) } else { nil }
      },
      .part("bearer", .condition) {
        $0.append(.bearer($1))
      } part: {
        if case .bearer(let token)? = $0.first { token } else { nil }
      },
    ])

  static let basic = ObjectTable<BasicObject, BasicObject>(
    "basic", keys: [.member("user", \.user, .condition), .member("password", \.password, .condition)])

  static let condition = ObjectTable<[Condition.Term], [Condition.Term]>(
    "condition", schema: #""minProperties": 1"#,
    keys: terms(of: "value", in: \.self) + [
      term("not", .nested, in: \.self) { .not($0) },
      term("and", .conditions, in: \.self) { .and($0) },
      term("or", .conditions, in: \.self) { .or($0) },
      term("includes", .conditions, "Each condition is met by at least one of the values.", in: \.self) {
        .includes($0)
      },
      term("hasExactly", .conditions, "There are as many values as conditions, and each condition is met.", in: \.self)
      { .hasExactly($0) },
    ])

  /// The rules for a request's body.
  static let matchBody = ObjectTable<BodyRuleObject, BodyRuleObject>(
    "matchBody", "Without json, the keys ignore, extra and order apply to the comparison with the recorded body.",
    schema: #""minProperties": 1"#,
    hint: "conditions apply to text, JSON, forms, parts, GraphQL or JSON-RPC; XPath is not supported",
    isLine: { if case .base64? = $0.rules.first { true } else { false } },
    keys: terms(of: "body", in: \.terms) + [
      rule("and", .bodies, BodyRule.and) { if case .and(let rules) = $0 { rules } else { nil } },
      rule("or", .bodies, BodyRule.or) { if case .or(let rules) = $0 { rules } else { nil } },
      rule("not", .nested, BodyRule.not) { if case .not(let rule) = $0 { rule } else { nil } },
      .member("json", \.json, .json, "The expected JSON; white space and the order of members are ignored."),
      .member("ignore", \.ignored, .places, "Places that are ignored: $.sentAt, $.items[*].id."),
      .value("extra", \.allowsExtra, .ignore, default: false, "Additional members are ignored."),
      .value("order", \.allowsAnyOrder, .ignore, default: false, "The order of list elements is ignored."),
      rule("base64", .base64(), BodyRule.base64) { if case .base64(let bytes) = $0 { bytes } else { nil } },
      rule("values", .placed, BodyRule.values, "Conditions on values of the JSON body by path: $.user.name.") {
        if case .values(let conditions) = $0 { conditions } else { nil }
      },
      rule("form", .named(), BodyRule.form) { if case .form(let conditions) = $0 { conditions } else { nil } },
      rule(
        "schema", .schema, BodyRule.schema, "A JSON Schema of draft 2020-12, or of draft-07 if its $schema names it."
      ) {
        if case .schema(let schema) = $0 { schema } else { nil }
      },
      rule(
        "parts", Kind.object(part, new: PartRule()).list("a part"), BodyRule.parts,
        "Conditions on a multipart body; each must be met by one of its parts."
      ) { if case .parts(let parts) = $0 { parts } else { nil } },
      rule("graphql", .object(graphQL, new: GraphQLRule()), BodyRule.graphQL) {
        if case .graphQL(let rule) = $0 { rule } else { nil }
      },
      rule("jsonrpc", .object(jsonRPC, new: JSONRPCRule()), BodyRule.jsonRPC) {
        if case .jsonRPC(let rule) = $0 { rule } else { nil }
      },
    ])

  static let part = ObjectTable<PartRule, PartRule>(
    "part",
    keys: [
      .member("name", \.name, .condition),
      .member("filename", \.filename, .condition),
      .value("headers", \.headers, .named(areFields: true), default: NamedConditions()),
      .value("body", \.body, .nestedBody, default: []),
      .value("every", \.isEvery, .flag, default: false, "The conditions apply to every part."),
    ])

  static let graphQL = ObjectTable<GraphQLRule, GraphQLRule>(
    "graphql",
    keys: [
      .member("operation", \.operation, .condition),
      .member("type", \.type, .condition, "query, mutation or subscription."),
      .member("query", \.query, .text, "The document; its formatting is ignored."),
      .value("variables", \.variables, .placed, default: [], "Conditions on values by path: $.login."),
    ])

  static let jsonRPC = ObjectTable<JSONRPCRule, JSONRPCRule>(
    "jsonrpc",
    keys: [
      .member("method", \.method, .condition),
      .value("params", \.params, .placed, default: [], "Conditions on values by path: $[0]."),
    ])

  /// The terms that conditions on a value and on a body share.
  private static func terms<Object>(of what: String, in path: Terms<Object>) -> [Key<Object, Object>] {
    [
      term("equals", .text, in: path) { .equals($0) },
      term("equalsIgnoringCase", .text, in: path) { .equalsIgnoringCase($0) },
      term("contains", .text, in: path) { .contains($0) },
      term("doesNotContain", .text, in: path) { .doesNotContain($0) },
      term("matches", .pattern, "A regular expression that matches the whole \(what).", in: path) { .matches($0) },
      term("doesNotMatch", .pattern, in: path) { .doesNotMatch($0) },
      term("absent", .flag, in: path) { .absent($0) },
      term("oneOf", .texts, in: path) { .oneOf($0) },
      term("atLeast", .bound(.atLeast), in: path) { .number($0) },
      term("above", .bound(.above), in: path) { .number($0) },
      term("atMost", .bound(.atMost), in: path) { .number($0) },
      term("below", .bound(.below), in: path) { .number($0) },
      term("before", .time(.before), "A time of RFC 3339, or a date.", in: path) { .time($0) },
      term("after", .time(.after), "A time of RFC 3339, or a date.", in: path) { .time($0) },
    ]
  }

  private typealias Terms<Object> = any WritableKeyPath<Object, [Condition.Term]> & Sendable

  /// Creates a key that adds a term to the condition; terms are written separately, in their own order.
  private static func term<Object, Member>(
    _ name: String, _ kind: Kind<Member>, _ help: String? = nil, in path: Terms<Object>,
    _ term: @escaping @Sendable (Member) -> Condition.Term
  ) -> Key<Object, Object> {
    .part(name, kind, help, add: { $0[keyPath: path].append(term($1)) }, part: { _ in nil })
  }

  private static func rule<Member>(
    _ name: String, _ kind: Kind<Member>, _ rule: @escaping @Sendable (Member) -> BodyRule, _ help: String? = nil,
    part: @escaping @Sendable (BodyRule) -> Member?
  ) -> Key<BodyRuleObject, BodyRuleObject> {
    .part(name, kind, help, add: { $0.rules.append(rule($1)) }, part: { $0.rules.first.flatMap(part) })
  }
}

extension MatchRules {
  /// The conditions on header fields, without the fields that must equal the recorded ones.
  fileprivate var writtenHeaders: NamedConditions {
    get { NamedConditions(headers.entries.filter { $0.condition != .recorded }) }
    set { headers.entries += newValue.entries }
  }

  /// The names of the header fields that must equal the recorded ones.
  fileprivate var recordedHeaders: [String] {
    get { headers.entries.filter { $0.condition == .recorded }.map(\.name) }
    set { headers.entries += newValue.map { .init($0, .recorded) } }
  }
}
