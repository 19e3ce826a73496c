internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePatterns
internal import Cassettes

/// A GraphQL request as rules look at it: in JSON, as a document by itself, or in a query.
struct GraphQLCall {
  /// The operation that runs, in normal form.
  let document: GraphQLDocument
  /// The variables; nil when there are none.
  let variables: JSONTree?

  /// Reads a request; nil when it has no document.
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

  /// The values of the variables that a path leads to.
  func values(at path: JSONQuery, _ budget: inout MatchingBudget) -> [ConditionText] {
    variables.map { RequestReading.values(at: path, in: $0, &budget) } ?? []
  }

  /// The operation's name, where it has one.
  var operation: [ConditionText] { document.name.isEmpty ? [] : [ConditionText(document.name)] }
}
