internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// The OpenAPI document of the routes.
enum ControlDocument {
  static let response = ControlResponse.bytes(document, type: "application/json")

  private static var document: [UInt8] {
    let document = JSONWriter.object { json in
      json.member("openapi", "3.1.0")
      json.object("info") { info in
        info.member("title", "mockserver /__mock/")
        info.member("version", "1")
        info.member(
          "description", "Shows the requests that a mock server has received, and controls the server while tests run.")
      }
      json.object("paths") { paths in
        let all = Dictionary(grouping: ControlRoutes.all, by: \.path).sorted { $0.key < $1.key }
        for (path, routes) in all {
          // The asterisk means that the rest of a path may contain slashes, which OpenAPI cannot express.
          paths.object(path.replacing("*}", with: "}")) { item in
            for route in routes { item.object(route.method.rawValue.lowercased()) { write(route, &$0) } }
          }
        }
      }
      json.object("components") { components in
        components.member("schemas", json: ControlSchemas.all)
        components.object("securitySchemes") { schemes in
          schemes.object("token") { token in
            token.member("type", "http")
            token.member("scheme", "bearer")
            token.member("description", "The token of --admin-token, if the server was started with one.")
          }
        }
      }
    }
    return JSONStyle.indent2.file(of: document)
  }

  private static func write(_ route: ControlRoute, _ json: inout JSONWriter) {
    json.member("summary", route.summary)
    json.member("operationId", operation(route))
    let names = route.path.split(separator: "/").filter { $0.hasPrefix("{") }
      .map { String($0.trimmingPrefix("{").prefix { $0 != "}" && $0 != "*" }) }
    let parameters = names.map { (name: $0, kind: "string" as String?, summary: nil as String?) }
    let all = parameters + route.query.map { ($0.name, $0.kind?.rawValue, $0.summary) }
    if !all.isEmpty {
      json.array("parameters", of: all) { parameter, item in
        item.member("name", parameter.name)
        item.member("in", parameter.summary == nil ? "path" : "query")
        if let summary = parameter.summary {
          item.member("description", summary)
        } else {
          item.member("required", true)
        }
        item.object("schema") { if let kind = parameter.kind { $0.member("type", kind) } }
      }
    }
    writeContent(route.content, &json)
    json.object("responses") { responses in
      responses.object("\(route.status)") { answer in
        answer.member("description", HTTPStatus(route.status).standardPhrase ?? "")
        answer.object("content") { content in
          content.object(route.answers) { type in
            type.object("schema") { schema in
              if let name = route.schema {
                schema.member("$ref", "#/components/schemas/\(name)")
              } else {
                schema.member("type", "string")
              }
            }
          }
          for other in route.also {
            content.object(other) { type in type.object("schema") { $0.member("type", "string") } }
          }
        }
      }
      for other in route.others { writeProblem("\(other.status)", other.summary, &responses) }
      writeProblem("default", "The call was refused; \"detail\" gives the reason.", &responses)
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
                    if let kind = field.kind { member.member("type", kind.rawValue) }
                    if field.kind == .array { member.object("items") { $0.member("type", field.element.rawValue) } }
                    member.member("description", field.summary)
                  }
                }
              }
            case .interactions:
              schema.array("oneOf") { types in
                types.object { $0.member("type", "object") }
                types.object { array in
                  array.member("type", "array")
                  array.object("items") { $0.member("type", "object") }
                }
              }
              schema.member(
                "description",
                "An interaction in the format of a cassette, or an array of them, with two more members: \"session\", a "
                  + "string, and \"keep\", true if the stub survives a reset.")
            }
          }
        }
      }
    }
  }

  /// Returns an operation id such as `getInteractionsId` for `GET /__mock/interactions/{id}`.
  private static func operation(_ route: ControlRoute) -> String {
    let words = route.path.split { !$0.isLetter }.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return route.method.rawValue.lowercased() + words.joined()
  }
}
