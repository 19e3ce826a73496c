internal import CassetteJSON
internal import CassettePatterns
internal import Cassettes

/// Checking the operation and arguments of GraphQL and JSON-RPC calls.
extension GraphQLRule {
  func isMet(by reading: RequestReading) -> Bool {
    guard let call = reading.graphQL else { return false }
    return parts(of: call, &reading.budget).allSatisfy { $0.entry.condition.isMet(by: $0.values, &reading.budget) }
      && isQueryMet(by: call)
  }

  func mismatches(of reading: RequestReading) -> [Mismatch] {
    guard let call = reading.graphQL else {
      return [Mismatch(part: "body", sent: "no GraphQL", wanted: "a GraphQL request")]
    }
    var found = parts(of: call, &reading.budget).compactMap { part in
      BodyRule.mismatch("graphql.\(part.entry.name)", part.values, part.entry, reading)
    }
    if !isQueryMet(by: call) { found.append(Mismatch(part: "graphql.query", sent: "another", wanted: query)) }
    return found
  }

  private func parts(
    of call: GraphQLCall, _ budget: inout MatchingBudget
  ) -> [(entry: NamedConditions.Entry, values: [ConditionText])] {
    var parts: [(entry: NamedConditions.Entry, values: [ConditionText])] = []
    if let operation { parts.append((.init("operation", operation), call.operation)) }
    if let type { parts.append((.init("type", type), [ConditionText(call.document.type)])) }
    for variable in variables {
      let name = "variables.\(variable.place)"
      parts.append((.init(name, variable.condition), call.values(at: variable.place, &budget)))
    }
    return parts
  }

  /// Returns true if the query matches; documents are compared in normal form, and an invalid document matches nothing.
  private func isQueryMet(by call: GraphQLCall) -> Bool {
    guard let query else { return true }
    let text = Array(query.utf8)
    let wanted = GraphQLDocument(text, operation: nil)
    return wanted?.normal == call.document.normal
      || GraphQLDocument(text, operation: call.document.name)?.normal == call.document.normal
  }
}

extension JSONRPCRule {
  func isMet(by reading: RequestReading) -> Bool {
    guard let parts = parts(of: reading) else { return false }
    return parts.allSatisfy { $0.entry.condition.isMet(by: $0.values, &reading.budget) }
  }

  func mismatches(of reading: RequestReading) -> [Mismatch] {
    guard let parts = parts(of: reading) else {
      return [Mismatch(part: "body", sent: "no JSON-RPC 2.0", wanted: "a call of JSON-RPC 2.0")]
    }
    return parts.compactMap { BodyRule.mismatch("jsonrpc.\($0.entry.name)", $0.values, $0.entry, reading) }
  }

  /// Returns the conditions with the values of the call that they apply to; nil if the request is not a call.
  private func parts(of reading: RequestReading) -> [(entry: NamedConditions.Entry, values: [ConditionText])]? {
    guard let json = reading.json, let version = json.root["jsonrpc"],
      json.bytes[version.range].elementsEqual("\"2.0\"".utf8)
    else { return nil }
    var parts: [(entry: NamedConditions.Entry, values: [ConditionText])] = []
    if let method {
      let name = json.string(json.root["method"]).map { ConditionText($0) }
      parts.append((.init("method", method), [name].compactMap(\.self)))
    }
    let sent = params.isEmpty ? nil : json.root["params"].flatMap { JSONTree(Array(json.bytes[$0.range])) }
    for parameter in params {
      let values = sent.map { RequestReading.values(at: parameter.place, in: $0, &reading.budget) } ?? []
      parts.append((.init("params.\(parameter.place)", parameter.condition), values))
    }
    return parts
  }
}
