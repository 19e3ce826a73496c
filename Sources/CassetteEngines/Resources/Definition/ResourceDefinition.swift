package import CassetteHTTP

/// A collection that supports create, read, list, update and delete requests: `resource` in a cassette.
package struct ResourceDefinition: Sendable {
  /// An operation on a collection or one of its elements.
  package enum Operation: String, CaseIterable, Sendable {
    case list, create, clear, read, replace, patch, delete

    /// True if the operation applies to the collection, not to an element.
    package var isOfCollection: Bool { self == .list || self == .create || self == .clear }

    /// The HTTP method that requests the operation.
    package var method: HTTPMethod {
      switch self {
      case .list, .read: .get
      case .create: .post
      case .replace: .put
      case .patch: .patch
      case .delete, .clear: .delete
      }
    }

    /// The default status of a successful response.
    var status: Int {
      switch self {
      case .create: 201
      case .delete, .clear: 204
      case .list, .read, .replace, .patch: 200
      }
    }
  }

  /// The type of ids that new elements receive.
  package enum Naming: Sendable {
    /// Consecutive numbers.
    case number
    /// UUIDs that count up, so that they are the same in each session.
    case uuid
  }

  /// The options for listing a collection: pages, filters, order and envelope.
  package struct Listing: Sendable {
    /// The query parameter with the page number, counted from 1; `size` is the parameter with the page size.
    var page: String?
    var size: String?
    /// The default number of elements on a page; nil for all elements.
    var perPage: Int?
    /// The status for a page beyond the last one.
    ///
    /// If it is nil, such a page is empty, and a page that is not a number has status 400.
    var missingPage: HTTPStatus?
    /// The query parameters that filter the list, each named after a member: `author.id`.
    var filters: [String] = []
    /// The query parameter with the search words, and the members in which each word is searched.
    var search: (parameter: String, members: [String])?
    /// The query parameter that lists the members to sort by; `-` before a name sorts in descending order.
    var sort: String?
    /// The JSON around the elements, in which `{{items}}` is replaced by them.
    var envelope = EditableJSON.string("{{items}}")
  }

  /// The maximum number of elements, and of their bytes, in one session.
  package static let mostElements = 10_000
  package static let mostBytes = 16 << 20
  /// The maximum number of elements on a page.
  static let longestPage = 1_000

  /// The JSON source of the definition in the cassette.
  package let source: [UInt8]
  /// The paths of the collection.
  ///
  /// The URLs of elements in responses use the first path.
  package var paths: [String]
  /// The suffix of element URLs: a slash if the first path ends with one.
  var addressEnd = ""
  /// Header fields of every response that has content.
  var headers: HTTPHeaders = []
  /// The name of the member that contains an element's id.
  package var id = "id"
  var naming = Naming.number
  /// The elements at the beginning of every session.
  var seed: [EditableJSON] = []
  /// Members that are added to a new element if the request omits them.
  var defaults: [EditableJSON.Member] = []
  /// Members that only the server assigns, when an element is created.
  var created: [EditableJSON.Member] = []
  /// Members that only the server assigns, whenever an element is created or changed.
  var changed: [EditableJSON.Member] = []
  /// The allowed operations, with the status of their responses.
  package var operations: [Operation: HTTPStatus]
  var listing = Listing()
  /// The bodies of error responses, by status.
  var errors: [Int: EditableJSON] = [:]
  /// The schema of the elements; nil if they are not validated.
  var schema: ElementSchema?

  init(source: [UInt8], paths: [String]) {
    self.source = source
    self.paths = paths
    operations = [:]
    for operation in Operation.allCases where operation != .clear {
      operations[operation] = HTTPStatus(operation.status)
    }
  }

  /// Returns the place that a path denotes, or nil if the path does not belong to the resource.
  package func place(of path: String) -> Place? {
    for own in paths where path.hasPrefix(own) {
      let rest = path.dropFirst(own.count)
      if rest.isEmpty || rest == "/" { return .collection }
      let isRoot = own == "/"
      guard isRoot || rest.first == "/" else { continue }
      let name = isRoot ? rest : rest.dropFirst()
      if !name.isEmpty, !name.contains("/") { return .element(PercentEncoding.decodeText(name.utf8)) }
    }
    return nil
  }

  /// The target of a request: the collection, or an element with an id.
  package enum Place: Hashable, Sendable {
    case collection
    case element(String)
  }

  /// Returns the methods that are allowed for a collection or for an element.
  package func methods(of place: Place) -> [HTTPMethod] {
    Operation.allCases.filter { operations[$0] != nil && $0.isOfCollection == (place == .collection) }.map(\.method)
  }
}
