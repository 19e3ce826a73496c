/// One method of one path of an OpenAPI document.
package struct OpenAPIOperation: Sendable {
  /// The place of a parameter in a request.
  package enum Location: String, Sendable { case path, query, header, cookie }

  /// A parameter, and how its value is written.
  package struct Parameter: Sendable {
    package var name: String
    package var location: Location
    package var isRequired: Bool
    /// `form`, `simple`, `spaceDelimited`, `pipeDelimited`, `deepObject`, `label`, `matrix`.
    package var style: String
    package var explodes: Bool
    /// The place of its schema in the document.
    package var schema: String?
    /// True if the schema describes JSON in the value.
    package var isJSON = false
    /// True if an empty value is allowed even if the schema rejects it.
    package var allowsEmpty = false
    /// The forms that the schema allows for the value.
    var form = ParameterForm()
    /// True if the schema allows a list of values.
    package var isList: Bool { form.isList }
  }

  /// The schemas of a body by media range, in the order of the document.
  package typealias Content = [(range: String, schema: String?)]

  /// A body that a request has.
  package struct RequestBody: Sendable {
    package var isRequired: Bool
    package var content: Content
    /// Its place in the document.
    package var pointer: String
  }

  /// A response, by status code, range of codes (`4XX`) or `default`.
  package struct Response: Sendable {
    package var status: String
    package var headers: [Parameter]
    package var content: Content
    /// Its place in the document.
    package var pointer: String
  }

  /// The method, in upper case.
  package var method: String
  /// The path with its templates: `/users/{id}`.
  package var path: String
  /// The `operationId`, or the method and the path.
  package var name: String
  package var parameters: [Parameter]
  package var requestBody: RequestBody?
  package var responses: [Response]
  /// The paths of its servers, without a slash at the end.
  package var bases: [String]
  /// The schemes that a request shows who asks with: all of one of the lists; none asks for nothing.
  package var security: [[SecurityScheme]] = []
  /// Its place in the document.
  package var pointer = ""

  /// The response of a status code: its own, its range's, or the default.
  package func response(for status: Int) -> Response? {
    responses.first { $0.status == "\(status)" }
      ?? responses.first { $0.status.uppercased() == "\(status / 100)XX" }
      ?? responses.first { $0.status == "default" }
  }
}
