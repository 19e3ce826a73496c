/// A method of a path in an OpenAPI document.
package struct OpenAPIOperation: Sendable {
  /// The location of a parameter in a request.
  package enum Location: String, Sendable { case path, query, header, cookie }

  /// A parameter and its serialization.
  package struct Parameter: Sendable {
    package var name: String
    package var location: Location
    package var isRequired: Bool
    /// The serialization style: `form`, `simple`, `spaceDelimited`, `pipeDelimited`, `deepObject`, `label` or `matrix`.
    package var style: String
    package var explodes: Bool
    /// The location of its schema in the document, as a JSON Pointer.
    package var schema: String?
    /// True if the value is JSON, which the schema describes.
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

  /// The documented body of a request.
  package struct RequestBody: Sendable {
    package var isRequired: Bool
    package var content: Content
    /// The location in the document, as a JSON Pointer.
    package var pointer: String
  }

  /// A response, by status code, range of codes (`4XX`) or `default`.
  package struct Response: Sendable {
    package var status: String
    package var headers: [Parameter]
    package var content: Content
    /// The location in the document, as a JSON Pointer.
    package var pointer: String
  }

  /// The method, in upper case.
  package var method: String
  /// The path with its parameters: `/users/{id}`.
  package var path: String
  /// The `operationId`, or the method and the path.
  package var name: String
  package var parameters: [Parameter]
  package var requestBody: RequestBody?
  package var responses: [Response]
  /// The base paths of its servers, without a trailing slash.
  package var bases: [String]
  /// The alternative lists of security schemes.
  ///
  /// A request must meet all schemes of one list; an empty list requires no credentials.
  package var security: [[SecurityScheme]] = []
  /// The location in the document, as a JSON Pointer.
  package var pointer = ""

  /// Returns the response for a status code, else for its range, else the default.
  package func response(for status: Int) -> Response? {
    responses.first { $0.status == "\(status)" }
      ?? responses.first { $0.status.uppercased() == "\(status / 100)XX" }
      ?? responses.first { $0.status == "default" }
  }
}
