internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// The table of routes as an OpenAPI document.
enum ControlDocument {
  static let response = ControlResponse.bytes(document, type: "application/json")

  private static var document: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("openapi", "3.1.0")
      json.object("info") { info in
        info.member("title", "mockserver /__mock/")
        info.member("version", "1")
        info.member("description", "Tells what a mock server was asked, and steers it while a test runs.")
      }
      json.object("paths") { paths in
        let all = Dictionary(grouping: ControlRoutes.all, by: \.path).sorted { $0.key < $1.key }
        for (path, routes) in all {
          paths.object(path) { item in
            for route in routes { item.object(route.method.rawValue.lowercased()) { write(route, &$0) } }
          }
        }
      }
      json.object("components") { components in
        components.object("schemas") { schemas in
          schemas.object("Problem") { problem in
            problem.member("type", "object")
            problem.array("required") { for name in ["title", "status", "detail"] { $0.element(name) } }
            problem.object("properties") { members in
              for (name, kind) in [("title", "string"), ("status", "integer"), ("detail", "string")] {
                members.object(name) { $0.member("type", kind) }
              }
            }
          }
        }
        components.object("securitySchemes") { schemes in
          schemes.object("token") { token in
            token.member("type", "http")
            token.member("scheme", "bearer")
            token.member("description", "The token of --admin-token, where the server has one.")
          }
        }
      }
    }
    var text: [UInt8] = []
    let compact = json.bytes
    JSONStyle.indent2.render(compact.span, into: &text)
    return text + [10]
  }

  private static func write(_ route: ControlRoute, _ json: inout JSONWriter) {
    json.member("summary", route.summary)
    json.member("operationId", operation(route))
    let names = route.path.split(separator: "/").filter { $0.hasPrefix("{") }
      .map { $0.trimmingPrefix("{").prefix { $0 != "}" && $0 != "*" } }
    if !names.isEmpty || !route.query.isEmpty {
      json.array("parameters") { list in
        for name in names {
          list.object { parameter in
            parameter.member("name", String(name))
            parameter.member("in", "path")
            parameter.member("required", true)
            parameter.object("schema") { $0.member("type", "string") }
          }
        }
        for field in route.query {
          list.object { parameter in
            parameter.member("name", field.name)
            parameter.member("in", "query")
            parameter.member("description", field.summary)
            parameter.object("schema") { $0.member("type", field.kind?.rawValue) }
          }
        }
      }
    }
    writeContent(route.content, &json)
    json.object("responses") { responses in
      responses.object("\(route.status)") { answer in
        answer.member("description", HTTPStatus(route.status).standardPhrase ?? "")
        answer.object("content") { $0.object(route.answers) { _ in } }
      }
      for other in route.others { writeProblem("\(other.status)", other.summary, &responses) }
      writeProblem("default", "Why it was refused.", &responses)
    }
  }

  private static func writeProblem(_ status: String, _ summary: String, _ responses: inout JSONWriter) {
    responses.object(status) { problem in
      problem.member("description", summary)
      problem.object("content") { content in
        content.object("application/problem+json") { type in
          type.object("schema") { $0.member("$ref", "#/components/schemas/Problem") }
        }
      }
    }
  }

  private static func writeContent(_ content: ControlContent, _ json: inout JSONWriter) {
    if case .none = content { return }
    json.object("requestBody") { body in
      body.object("content") { types in
        types.object("application/json") { type in
          type.object("schema") { schema in
            switch content {
            case .none: break
            case .members(let fields):
              schema.member("type", "object")
              schema.member("additionalProperties", false)
              schema.object("properties") { members in
                for field in fields {
                  members.object(field.name) { member in
                    member.member("type", field.kind?.rawValue)
                    member.member("description", field.summary)
                  }
                }
              }
            case .interactions:
              schema.member(
                "description",
                "An interaction of a cassette, or an array of them; beside its members it may have \"session\", a "
                  + "string, and \"keep\", true to outlast a reset.")
            }
          }
        }
      }
    }
  }

  /// `getInteractionsId` for `GET /__mock/interactions/{id}`.
  private static func operation(_ route: ControlRoute) -> String {
    let words = route.path.split { !$0.isLetter }.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return route.method.rawValue.lowercased() + words.joined()
  }
}
