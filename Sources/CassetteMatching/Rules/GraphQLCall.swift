internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePatterns
internal import Cassettes

/// A GraphQL request in the form that rules use: from JSON, from a document as the body, or from a query.
struct GraphQLCall {
  /// The executed operation in normal form.
  let document: GraphQLDocument
  /// The variables; nil if there are none.
  let variables: JSONTree?

  /// Parses a request; returns nil if it contains no GraphQL document.
  init?(_ reading: RequestReading) {
    var (text, name): ([UInt8]?, [UInt8]?)
    var variables: JSONTree?
    if let json = reading.json, case .object = json.root.kind {
      (text, name) = (json.string(json.root["query"]), json.string(json.root["operationName"]))
      variables = json.root["variables"].flatMap { JSONTree(Array(json.bytes[$0.range])) }
    } else if !reading.request.body.isEmpty {
      text = reading.request.body
    } else {
      text = reading.parameter("query").first.map { Array($0.string.utf8) }
      name = reading.parameter("operationName").first.map { Array($0.string.utf8) }
      variables = reading.parameter("variables").first.flatMap { JSONTree(Array($0.string.utf8)) }
    }
    guard let text, let document = GraphQLDocument(text, operation: name?.isEmpty == true ? nil : name) else {
      return nil
    }
    (self.document, self.variables) = (document, variables)
  }

  /// Returns the values of the variables that a path selects.
  func values(at path: JSONQuery, _ budget: inout MatchingBudget) -> [ConditionText] {
    variables.map { RequestReading.values(at: path, in: $0, &budget) } ?? []
  }

  /// The name of the operation; empty if it has none.
  var operation: [ConditionText] { document.name.isEmpty ? [] : [ConditionText(document.name)] }
}
