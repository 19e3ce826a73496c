internal import CassetteSystem

/// The request fields that select an operation, or its version, of one method and target.
///
/// Without them, a recording would answer a request for another operation with the same body.
package struct OperationField: Sendable {
  /// The effect of a field that only one of two requests has.
  package enum Presence: Sendable {
    /// The requests are for different operations.
    case selects
    /// The requests may be for the same operation.
    case refines
  }

  /// The name in lower case.
  package let name: StaticString
  package let presence: Presence
  /// The default value of a missing field.
  let absent: String?

  private init(_ name: StaticString, _ presence: Presence = .selects, absent: String? = nil) {
    (self.name, self.presence, self.absent) = (name, presence, absent)
  }

  private static let all: [OperationField] = [
    // Smithy, AWS JSON 1.0 and 1.1: the operation of the service.
    Self("x-amz-target"),
    // SOAP 1.1 §6.1.1.
    Self("soapaction"),
    // The method behind a POST: Google Cloud APIs, "HTTP guidelines"; OData v2; Restli, "Protocol".
    Self("x-http-method-override"), Self("x-http-method"), Self("x-method-override"), Self("x-restli-method"),
    // RFC 4918 §10.2, §10.3 and §10.6.
    Self("depth", absent: "infinity"), Self("destination"), Self("overwrite", absent: "T"),
    // A PUT that copies: Amazon S3 CopyObject, Azure Copy Blob, Cloud Storage "Copy objects".
    Self("x-amz-copy-source"), Self("x-ms-copy-source"), Self("x-goog-copy-source"),
    // Google resumable uploads, tus 1.0 "Upload-Offset", Dropbox API v2 "Content-upload endpoints", Next.js Server Actions.
    Self("x-goog-upload-command"), Self("upload-offset"), Self("dropbox-api-arg"), Self("next-action"),
    // RFC 9110 §13.1: writes that depend on the state of the resource.
    Self("if-match", .refines), Self("if-none-match", .refines), Self("if-unmodified-since", .refines),
    // HTML §9.2.4: the event after which a stream resumes.
    Self("last-event-id", .refines),
    // Versions, as documented by GitHub, Stripe, Anthropic, Notion, Square, LinkedIn, Azure Storage, OData 4.01,
    // Unsplash, the Model Context Protocol, and Azure API Management.
    Self("x-github-api-version", .refines), Self("stripe-version", .refines), Self("anthropic-version", .refines),
    Self("notion-version", .refines), Self("square-version", .refines), Self("linkedin-version", .refines),
    Self("x-ms-version", .refines), Self("odata-version", .refines), Self("accept-version", .refines),
    Self("mcp-protocol-version", .refines), Self("api-version", .refines), Self("x-api-version", .refines),
  ]

  /// The fields by the length of their names.
  private static let byLength: [[OperationField]] = {
    var lists: [[OperationField]] = Array(repeating: [], count: 32)
    for field in all { lists[field.name.utf8CodeUnitCount].append(field) }
    return lists
  }()

  /// Returns the field with a name in a head, compared case-insensitively.
  package static func named(_ bytes: Span<UInt8>, _ name: Range<Int>) -> OperationField? {
    guard name.count < byLength.count else { return nil }
    return byLength[name.count].first { ASCII.isWord($0.name, bytes, name) }
  }

  /// Returns the field with a name, compared case-insensitively.
  package static func named(_ name: String) -> OperationField? {
    name.withUTF8Span { named($0, 0..<$0.count) }
  }

  /// Returns true if a field affects requests with a method: a condition on a read does not select an operation.
  package func concerns(_ method: HTTPMethod) -> Bool {
    switch method {
    case .get, .head: !name.description.hasPrefix("if-")
    default: true
    }
  }

  /// Returns the value in a list of fields, without quotes; nil if it is missing.
  package func value(in headers: HTTPHeaders) -> String? {
    let values = headers.values(of: name.description)
    guard !values.isEmpty else { return absent }
    return values.joined(separator: ", ").filter { $0 != "\"" }
  }

  /// Returns the versions that the media types of an `Accept` field contain: `v3` of `application/vnd.github.v3+json`, or
  /// the value of a parameter such as `version` (GitHub, Heroku, and JSON APIs of many others).
  package static func versions(ofAccept values: [String]) -> Set<String> {
    var versions: Set<String> = []
    for text in values.flatMap({ $0.split(separator: ",") }) {
      guard let type = MediaType(String(text)) else { continue }
      for parameter in type.parameters where ["version", "v", "api-version"].contains(parameter.name) {
        versions.insert(parameter.value.lowercased())
      }
      guard type.subtype.hasPrefix("vnd.") else { continue }
      for part in type.subtype.split(whereSeparator: { ".+-".contains($0) })
      where part.first == "v" && part.dropFirst().first?.isNumber == true {
        versions.insert(String(part))
      }
    }
    return versions
  }
}
