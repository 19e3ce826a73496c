package import CassetteHTTP
import CassetteJSON
import CassettePatterns
package import CassettePlayback
internal import CassetteSecrets
import Cassettes
public import Foundation

extension CassetteStub {
  /// A pattern of the requests that a stub answers: a method, a path or a URL, and conditions on the rest.
  ///
  /// `.get("/users/{name}")` takes any segment in place of `{name}`; the query is as it is written, unless
  /// ``anyQuery`` or ``query(_:_:)`` says otherwise; fields and body play no part unless they are spoken of.
  public struct Request: Sendable {
    /// The method; nil for any.
    let method: HTTPMethod?
    let url: String
    var rules = MatchRules()
    /// The error in the pattern, to be told when it is used.
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
    ///   - method: The method's name.
    ///   - url: A path, whose names in braces stand for a segment each, and a query; or a whole URL.
    /// - Returns: What is asked for.
    public static func method(_ method: String, _ url: String) -> Request {
      Request(method: HTTPMethod(method), url: url)
    }
    /// Matches requests of any method.
    public static func any(_ url: String) -> Request { Request(method: nil, url: url) }
    /// `GET` of a path and query, or of a whole URL.
    public static func get(_ url: String) -> Request { method("GET", url) }
    /// `HEAD` of a path and query, or of a whole URL.
    public static func head(_ url: String) -> Request { method("HEAD", url) }
    /// `POST` to a path and query, or to a whole URL.
    public static func post(_ url: String) -> Request { method("POST", url) }
    /// `PUT` to a path and query, or to a whole URL.
    public static func put(_ url: String) -> Request { method("PUT", url) }
    /// `PATCH` of a path and query, or of a whole URL.
    public static func patch(_ url: String) -> Request { method("PATCH", url) }
    /// `DELETE` of a path and query, or of a whole URL.
    public static func delete(_ url: String) -> Request { method("DELETE", url) }

    /// The requests of this method and path, with any parameters.
    public var anyQuery: Request { with(query: "*", .ignore) }

    /// Narrows the requests by a condition on a parameter: `.get("/search").query("q", .contains("swift"))`.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - value: What its value is.
    /// - Returns: What is asked for.
    public func query(_ name: String, _ value: Value) -> Request { with(query: name, value) }

    /// Narrows the requests by a condition on a header field.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: What its value is.
    /// - Returns: What is asked for.
    public func header(_ name: String, _ value: Value) -> Request {
      changed { $0.headers.entries.append(NamedConditions.Entry(name, value.condition)) }.noting(value.problem)
    }

    /// Narrows the requests by a condition on the body; several have to be met all.
    ///
    /// - Parameter content: What the body is: `.json(["title": "Milk"])`, `.contains("Milk")`.
    /// - Returns: What is asked for.
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

    /// The error in the pattern; nil for most.
    package var problemText: String? { problem }

    /// Tells whether a stub for these requests would answer a request.
    package func accepts(_ request: HTTPRequest) -> Bool {
      if let origin = RecordedTarget.origin(of: url), origin != RecordedTarget.origin(of: request.target.text) {
        return false
      }
      return expected.accepts(request)
    }

    /// The request as a test expects it to have been sent.
    package var expected: ExpectedRequest {
      var interaction = Interaction(method: method ?? .get, url: url, outcome: .response(RecordedResponse(status: 200)))
      interaction.match = rules
      return ExpectedRequest(interaction)
    }

    /// Method and URL, for messages.
    package var shown: String {
      let name = method.map { $0.rawValue } ?? "any method"
      return "\(name) \(SecretNames.masked(url: url))"
    }
  }

  /// The condition that a parameter, a field or a text has to meet; a literal is an equal value.
  public struct Value: Sendable, ExpressibleByStringLiteral {
    let condition: Condition
    var problem: String?

    private init(_ term: Condition.Term) { condition = .all([term]) }
    private init(_ condition: Condition) { self.condition = condition }

    /// Creates a condition that a value is equal to a text.
    public init(stringLiteral value: String) { self.init(.equals(value)) }

    /// Returns a condition that a value is equal to a text.
    public static func equals(_ value: String) -> Value { Value(.equals(value)) }
    /// Returns a condition that a value has a text in it.
    public static func contains(_ text: String) -> Value { Value(.contains(text)) }
    /// A condition that any value meets, but there has to be one.
    public static var any: Value { Value(.absent(false)) }
    /// A condition that is met when there is no value.
    public static var absent: Value { Value(.absent(true)) }
    /// A condition that is always met, with a value or without.
    public static var ignore: Value { Value(Condition.ignore) }

    /// Returns a condition that a value as a whole matches a pattern: `.matches("\\d+")`.
    ///
    /// - Parameter pattern: Classes, groups, alternatives, quantifiers, anchors and look-ahead.
    /// - Returns: A condition.
    public static func matches(_ pattern: String) -> Value {
      do throws(TextPattern.Problem) {
        return Value(.matches(try TextPattern(pattern)))
      } catch {
        var value = Value(.equals(pattern))
        value.problem = "the pattern \"\(pattern)\" is not understood at character \(error.column): \(error.message)"
        return value
      }
    }
  }

  /// The condition that a body has to meet.
  public struct Content: Sendable {
    let rule: BodyRule
    var problem: String?

    private init(_ rule: BodyRule, problem: String? = nil) {
      self.rule = rule
      self.problem = problem
    }

    /// Returns a condition that the body is a JSON value, members in any order.
    ///
    /// - Parameter value: The value: `["title": "Milk", "done": false]`.
    /// - Returns: A condition.
    public static func json(_ value: CassetteStub.JSON) -> Content {
      Content(.json(Array(value.text.utf8), ignoring: [], extra: false, order: false))
    }

    /// Returns a condition that the body has a JSON value in it; members and elements may be more than are told here.
    ///
    /// - Parameter value: What has to be in it.
    /// - Returns: A condition.
    public static func json(containing value: CassetteStub.JSON) -> Content {
      Content(.json(Array(value.text.utf8), ignoring: [], extra: true, order: false))
    }

    /// Returns a condition on the value at a path of a JSON body: `.value("$.user.name", "kean")`.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - value: What it is, as text.
    /// - Returns: A condition.
    public static func value(_ path: String, _ value: Value) -> Content {
      do throws(JSONQuery.Problem) {
        return Content(.values([.init(try JSONQuery(path), value.condition)]), problem: value.problem)
      } catch {
        let unread = "\"\(path)\" is no path into JSON: write it like \"$.user.name\" (\(error.words))"
        return Content(.values([]), problem: unread)
      }
    }

    /// Returns a condition on a field of a form.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: What it is.
    /// - Returns: A condition.
    public static func form(_ name: String, _ value: Value) -> Content {
      Content(.form(NamedConditions([.init(name, value.condition)])), problem: value.problem)
    }

    /// Returns a condition that the body is exactly these bytes.
    public static func data(_ data: Data) -> Content { Content(.base64(Array(data))) }
    /// Returns a condition on the body as text; a literal is an equal text.
    public static func text(_ text: Value) -> Content { Content(.text(text.condition), problem: text.problem) }
    /// Returns a condition that the body has a text in it.
    public static func contains(_ text: String) -> Content { .text(.contains(text)) }
    /// Returns a condition that the body as a whole matches a pattern.
    public static func matches(_ pattern: String) -> Content { .text(.matches(pattern)) }
  }
}
