import CassetteJSON
internal import CassetteSchemas
internal import Cassettes

/// Parts, calls, credentials and rules of rules.
extension CassetteFileWriter {
  mutating func write(_ parts: [PartRule]) {
    open("{")
    open("[", as: "parts")
    for part in parts {
      next()
      open("{")
      if let name = part.name { write(name, as: "name") }
      if let filename = part.filename { write(filename, as: "filename") }
      write(part.headers, as: "headers")
      if part.body.count == 1 {
        key("body")
        write(part.body[0])
      } else {
        array(part.body, as: "body")
      }
      if part.isEvery { member("every", token: "true") }
      close("}")
    }
    close("]")
    close("}")
  }

  mutating func write(_ rule: GraphQLRule) {
    open("{")
    open("{", as: "graphql")
    if let operation = rule.operation { write(operation, as: "operation") }
    if let type = rule.type { write(type, as: "type") }
    if let query = rule.query { member("query", query) }
    if !rule.variables.isEmpty { write(values: rule.variables, as: "variables") }
    close("}")
    close("}")
  }

  mutating func write(_ rule: JSONRPCRule) {
    open("{")
    open("{", as: "jsonrpc")
    if let method = rule.method { write(method, as: "method") }
    if !rule.params.isEmpty { write(values: rule.params, as: "params") }
    close("}")
    close("}")
  }

  mutating func write(_ rules: [BodyRule], as name: String) {
    open("{")
    array(rules, as: name)
    close("}")
  }

  private mutating func array(_ rules: [BodyRule], as name: String) {
    guard !rules.isEmpty else { return }
    open("[", as: name)
    for rule in rules { write(nested: rule) }
    close("]")
  }

  mutating func write(_ rule: AuthorizationRule) {
    switch rule {
    case .none: return member("authorization", "none")
    case .basic(nil, nil): return member("authorization", "basic")
    case .bearer(nil): return member("authorization", "bearer")
    case .basic, .bearer: break
    }
    open("{", as: "authorization")
    switch rule {
    case .none, .bearer(nil): break
    case .bearer(let token?): write(token, as: "bearer")
    // An object would be that of user and password.
    case .basic(.all(let terms)?, nil) where terms.count == 1 && terms[0].key == "equals" && terms[0].text != "ignore":
      member("basic", terms[0].text ?? "")
    case .basic(let user, let password):
      open("{", as: "basic")
      if let user { write(user, as: "user") }
      if let password { write(password, as: "password") }
      close("}")
    }
    close("}")
  }
}
