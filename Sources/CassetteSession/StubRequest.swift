package import CassetteHTTP
import CassetteJSON
import CassettePatterns
package import CassettePlayback
internal import CassetteSecrets
internal import CassetteSystem
import Cassettes
public import Foundation

extension CassetteStub {
  /// A pattern of the requests that a stub answers: a method, a path or a URL, and optional conditions.
  ///
  /// In `.get("/users/{name}")`, `{name}` matches any segment. The query must be equal, unless the pattern uses
  /// ``anyQuery`` or ``query(_:_:)``. Header fields and body are ignored unless the pattern has conditions on them.
  public struct Request: Sendable {
    /// The method; nil for any method.
    let method: HTTPMethod?
    let url: String
    var rules = MatchRules()
    /// The error in the pattern, which is reported when the pattern is used.
    var problem: String?

    init(method: HTTPMethod?, url: String) {
      self.method = method
      self.url = url
      rules.methods = method == nil ? .any : nil
      let target = RecordedTarget.pathAndQuery(of: url)
      if let template = PathTemplate(String(target.prefix { $0 != "?" })) { rules.path = .template(template) }
    }

    /// Matches requests of one method.
    ///
    /// - Parameters:
    ///   - method: The name of the method; `get` is `GET`.
    ///   - url: A path with an optional query, or an absolute URL. Names in braces match one segment each.
    /// - Returns: The pattern.
    public static func method(_ method: String, _ url: String) -> Request {
      Request(method: HTTPMethod(ignoringCase: method), url: url)
    }
    /// Matches requests of any method.
    public static func any(_ url: String) -> Request { Request(method: nil, url: url) }
    /// Matches `GET` requests for a path and query, or an absolute URL.
    public static func get(_ url: String) -> Request { method("GET", url) }
    /// Matches `HEAD` requests for a path and query, or an absolute URL.
    public static func head(_ url: String) -> Request { method("HEAD", url) }
    /// Matches `POST` requests for a path and query, or an absolute URL.
    public static func post(_ url: String) -> Request { method("POST", url) }
    /// Matches `PUT` requests for a path and query, or an absolute URL.
    public static func put(_ url: String) -> Request { method("PUT", url) }
    /// Matches `PATCH` requests for a path and query, or an absolute URL.
    public static func patch(_ url: String) -> Request { method("PATCH", url) }
    /// Matches `DELETE` requests for a path and query, or an absolute URL.
    public static func delete(_ url: String) -> Request { method("DELETE", url) }

    /// The same pattern for requests with any query.
    public var anyQuery: Request { with(query: "*", .ignore) }

    /// Adds a condition on a query parameter: `.get("/search").query("q", .contains("swift"))`.
    ///
    /// - Parameters:
    ///   - name: The name of the parameter.
    ///   - value: The condition on its value.
    /// - Returns: The pattern.
    public func query(_ name: String, _ value: Value) -> Request { with(query: name, value) }

    /// Adds a condition on a header field.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The condition on its value.
    /// - Returns: The pattern.
    public func header(_ name: String, _ value: Value) -> Request {
      changed { $0.headers.entries.append(NamedConditions.Entry(name, value.condition)) }.noting(value.problem)
    }

    /// Adds a condition on the body; several conditions must all be met.
    ///
    /// - Parameter content: The condition: `.json(["title": "Milk"])`, `.contains("Milk")`.
    /// - Returns: The pattern.
    public func body(_ content: Content) -> Request { changed { $0.body.append(content.rule) }.noting(content.problem) }

    private func with(query name: String, _ value: Value) -> Request {
      changed { $0.query.entries.append(NamedConditions.Entry(name, value.condition)) }.noting(value.problem)
    }

    private func changed(_ change: (inout MatchRules) -> Void) -> Request {
      var request = self
      change(&request.rules)
      return request
    }

    private func noting(_ problem: String?) -> Request {
      var request = self
      request.problem = request.problem ?? problem
      return request
    }

    /// The error in the pattern; nil if it is valid.
    package var problemText: String? { problem }

    /// Returns true if a stub with this pattern would answer a request.
    package func accepts(_ request: HTTPRequest) -> Bool {
      if let origin = RecordedTarget.origin(of: url), origin != RecordedTarget.origin(of: request.target.text) {
        return false
      }
      return expected.accepts(request)
    }

    /// The pattern in the form for checking requests that were sent.
    package var expected: ExpectedRequest {
      var interaction = Interaction(method: method ?? .get, url: url, outcome: .response(RecordedResponse(status: 200)))
      interaction.match = rules
      return ExpectedRequest(interaction)
    }

    /// The method and URL, for messages.
    package var shown: String {
      let name = method.map { $0.rawValue } ?? "any method"
      return "\(name) \(SecretNames.masked(url: url))"
    }
  }

  /// A condition on the value of a parameter, a field or a text.
  ///
  /// A string literal requires an equal value.
  public struct Value: Sendable, ExpressibleByStringLiteral {
    let condition: Condition
    var problem: String?

    private init(_ term: Condition.Term) { condition = .all([term]) }
    private init(_ condition: Condition) { self.condition = condition }

    /// Creates a condition that requires an equal value.
    public init(stringLiteral value: String) { self.init(.equals(value)) }

    /// Returns a condition that requires an equal value.
    public static func equals(_ value: String) -> Value { Value(.equals(value)) }
    /// Returns a condition that requires the value to contain a string.
    public static func contains(_ text: String) -> Value { Value(.contains(text)) }
    /// A condition that requires any value to be present.
    public static var any: Value { Value(.absent(false)) }
    /// A condition that requires the value to be missing.
    public static var absent: Value { Value(.absent(true)) }
    /// A condition that is always met, with or without a value.
    public static var ignore: Value { Value(Condition.ignore) }

    /// Returns a condition that requires the complete value to match a pattern: `.matches("\\d+")`.
    ///
    /// - Parameter pattern: A regular expression with classes, groups, alternatives, quantifiers, anchors and
    ///   lookahead.
    /// - Returns: The condition.
    public static func matches(_ pattern: String) -> Value {
      do throws(TextPattern.Problem) {
        return Value(.matches(try TextPattern(pattern)))
      } catch {
        var value = Value(.equals(pattern))
        value.problem = "the pattern \"\(pattern)\" is invalid at character \(error.column): \(error.message)"
        return value
      }
    }
  }

  /// A condition on a body.
  public struct Content: Sendable {
    let rule: BodyRule
    var problem: String?

    private init(_ rule: BodyRule, problem: String? = nil) {
      self.rule = rule
      self.problem = problem
    }

    /// Returns a condition that requires the body to equal a JSON value, ignoring the order of members.
    ///
    /// - Parameter value: The value: `["title": "Milk", "done": false]`.
    /// - Returns: The condition.
    public static func json(_ value: CassetteStub.JSON) -> Content {
      Content(.json(Array(value.text.utf8), ignoring: [], extra: false, order: false))
    }

    /// Returns a condition that requires the body to contain a JSON value; additional members and elements are allowed.
    ///
    /// - Parameter value: The value that the body must contain.
    /// - Returns: The condition.
    public static func json(containing value: CassetteStub.JSON) -> Content {
      Content(.json(Array(value.text.utf8), ignoring: [], extra: true, order: false))
    }

    /// Returns a condition on the value at a path of a JSON body: `.value("$.user.name", "kean")`.
    ///
    /// - Parameters:
    ///   - path: The JSON path of the value.
    ///   - value: The condition on the value as text.
    /// - Returns: The condition.
    public static func value(_ path: String, _ value: Value) -> Content {
      do throws(JSONQuery.Problem) {
        return Content(.values([.init(try JSONQuery(path), value.condition)]), problem: value.problem)
      } catch {
        let unread = "\"\(path)\" is not a JSON path such as \"$.user.name\" (\(error.words))"
        return Content(.values([]), problem: unread)
      }
    }

    /// Returns a condition on a field of a form.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - value: The condition on its value.
    /// - Returns: The condition.
    public static func form(_ name: String, _ value: Value) -> Content {
      Content(.form(NamedConditions([.init(name, value.condition)])), problem: value.problem)
    }

    /// Returns a condition that requires the body to have exactly these bytes.
    public static func data(_ data: Data) -> Content { Content(.base64(Array(data))) }
    /// Returns a condition on the body as text.
    ///
    /// A string literal requires an equal body.
    public static func text(_ text: Value) -> Content { Content(.text(text.condition), problem: text.problem) }
    /// Returns a condition that requires the body to contain a string.
    public static func contains(_ text: String) -> Content { .text(.contains(text)) }
    /// Returns a condition that requires the complete body to match a pattern.
    public static func matches(_ pattern: String) -> Content { .text(.matches(pattern)) }
  }
}
