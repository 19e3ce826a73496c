import CassetteJSON

/// Parts, calls, credentials, rules of rules, and resources as they were read.
extension CassetteFileWriter {
  mutating func write(_ parts: [PartRule]) {
    open("[", as: "parts")
    for part in parts {
      next()
      open("{")
      write(part.name, as: "name")
      write(part.filename, as: "filename")
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
  }

  mutating func write(_ rule: GraphQLRule) {
    open("{", as: "graphql")
    write(rule.operation, as: "operation")
    write(rule.type, as: "type")
    if let query = rule.query { member("query", query) }
    if !rule.variables.isEmpty { write(values: rule.variables, as: "variables") }
    close("}")
  }

  mutating func write(_ rule: JSONRPCRule) {
    open("{", as: "jsonrpc")
    write(rule.method, as: "method")
    if !rule.params.isEmpty { write(values: rule.params, as: "params") }
    close("}")
  }

  mutating func array(_ rules: [BodyRule], as name: String) {
    guard !rules.isEmpty else { return }
    open("[", as: name)
    for rule in rules {
      next()
      write(rule)
    }
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
      write(user, as: "user")
      write(password, as: "password")
      close("}")
    }
    close("}")
  }

  mutating func write(_ resources: [any CompiledResource]) {
    guard let first = resources.first else { return }
    key("resource")
    if resources.count == 1 { return json(first.source) }
    open("[")
    for resource in resources {
      next()
      json(resource.source)
    }
    close("]")
  }
}
