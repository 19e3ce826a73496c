package import CassetteHTTP

/// A collection that really is created in, read, listed, changed and deleted from: `resource` in a cassette.
package struct ResourceDefinition: Sendable {
  /// An operation on a collection or one of its elements.
  package enum Operation: String, CaseIterable, Sendable {
    case list, create, clear, read, replace, patch, delete

    /// True if the operation is on the collection, not on one of its elements.
    package var isOfCollection: Bool { self == .list || self == .create || self == .clear }

    /// The method that asks for it.
    package var method: HTTPMethod {
      switch self {
      case .list, .read: .get
      case .create: .post
      case .replace: .put
      case .patch: .patch
      case .delete, .clear: .delete
      }
    }

    /// The status it is answered with unless the definition says another.
    var status: Int {
      switch self {
      case .create: 201
      case .delete, .clear: 204
      case .list, .read, .replace, .patch: 200
      }
    }
  }

  /// The rule by which new elements get their ids.
  package enum Naming: Sendable {
    /// The next number.
    case number
    /// A UUID, the same in each session.
    case uuid
  }

  /// The options for listing a collection: pages, filters, order, envelope.
  package struct Listing: Sendable {
    /// The parameters that choose the page, from 1, and how many elements it has.
    var page: String?
    var size: String?
    /// The number of elements on a page when the request does not say; nil for all.
    var perPage: Int?
    /// The status for a missing page; nil sends an empty page, and 400 if the page is not a number.
    var missingPage: HTTPStatus?
    /// The members that a parameter of their name filters by, steps separated by points: `author.id`.
    var filters: [String] = []
    /// The query parameter with the search words, and the members in which each word is searched.
    var search: (parameter: String, members: [String])?
    /// The parameter that names members to sort by, `-` before one for the other way round.
    var sort: String?
    /// The JSON around the elements, with `{{items}}` in their place.
    var envelope = EditableJSON.string("{{items}}")
  }

  /// The most elements, and bytes of them, that one session may have.
  package static let mostElements = 10_000
  package static let mostBytes = 16 << 20
  /// The most elements of a page.
  static let longestPage = 1_000

  /// The definition as it stands in the cassette.
  package let source: [UInt8]
  /// The paths of the collection; the first is where its elements say they are.
  package var paths: [String]
  /// The suffix of element URLs: a slash if the first path ends with one.
  var addressEnd = ""
  /// Header fields of each answer with content.
  var headers: HTTPHeaders = []
  /// The member that holds an element's name.
  package var id = "id"
  var naming = Naming.number
  /// The elements that every session begins with.
  var seed: [EditableJSON] = []
  /// Members that a new element gets where they were not sent.
  var defaults: [EditableJSON.Member] = []
  /// Members that the server gives to a new element, and nobody else.
  var created: [EditableJSON.Member] = []
  /// Members that the server sets at each change, creation included.
  var changed: [EditableJSON.Member] = []
  /// The operations that are allowed, with the status of each one's answer.
  package var operations: [Operation: HTTPStatus]
  var listing = Listing()
  /// The bodies of refusals, by their status.
  var errors: [Int: EditableJSON] = [:]
  /// The schema that elements have to meet; nil for any.
  var schema: ElementSchema?

  init(source: [UInt8], paths: [String]) {
    self.source = source
    self.paths = paths
    operations = [:]
    for operation in Operation.allCases where operation != .clear {
      operations[operation] = HTTPStatus(operation.status)
    }
  }

  /// Tells whether a path is the collection's or that of one of its elements; nil for another.
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

  /// A collection, or an element by its name.
  package enum Place: Hashable, Sendable {
    case collection
    case element(String)
  }

  /// Returns the operations of a place, with the methods that ask for them.
  package func methods(of place: Place) -> [HTTPMethod] {
    Operation.allCases.filter { operations[$0] != nil && $0.isOfCollection == (place == .collection) }.map(\.method)
  }
}
