internal import CassetteHTTP
internal import CassetteJSON

/// The elements of a resource in one session.
///
/// A value type, so that sessions share the storage of elements that they have not changed.
struct ResourceState: Sendable {
  /// An element with its id.
  struct Element: Sendable {
    let name: String
    let value: EditableJSON
    let size: Int
    /// True if the element is part of every new session.
    var isSeed = false

    var ownSize: Int { isSeed ? 0 : size }
  }

  private(set) var elements: [Element] = []
  /// The approximate size of all elements in bytes.
  private(set) var size = 0
  /// The approximate size in bytes of the elements that this session does not share with other sessions.
  package private(set) var ownSize = 0
  /// The greatest number ever used as an id, so that ids of deleted elements are not reused.
  private var lastNumber = 0
  private var created = 0

  /// Creates the state of a new session.
  init(_ definition: ResourceDefinition) {
    for value in definition.seed { _ = put(value, as: value[definition.id]?.scalar ?? "") }
    for index in elements.indices { elements[index].isSeed = true }
    ownSize = 0
  }

  /// Creates a state from a JSON array of elements, each of which needs a unique id.
  init(_ elements: [UInt8], of definition: ResourceDefinition) throws(ResourceError) {
    guard case .array(let values)? = EditableJSON(elements) else {
      throw ResourceError(message: "the elements must be a JSON array of objects", offset: 0)
    }
    var names: Set<String> = []
    for (number, value) in values.enumerated() {
      guard value.isObject, let name = value[definition.id]?.scalar, value[definition.id]?.isNull == false,
        names.insert(name).inserted
      else {
        throw ResourceError(
          message: "element \(number) must be an object with a unique \"\(definition.id)\"", offset: 0)
      }
      guard put(value, as: name, at: nil) else {
        throw ResourceError(message: "there are too many elements", offset: 0)
      }
    }
  }

  /// The elements as a JSON array.
  package var json: [UInt8] { EditableJSON.array(elements.map(\.value)).bytes }

  /// The number of elements.
  package var count: Int { elements.count }

  func element(_ name: String) -> EditableJSON? { elements.first { $0.name == name }?.value }

  /// Returns the id for the next new element.
  mutating func nextName(_ naming: ResourceDefinition.Naming) -> EditableJSON {
    created += 1
    switch naming {
    case .number: return .number(lastNumber + 1)
    case .uuid:
      let digits = String(created, radix: 16)
      return .string("00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits)
    }
  }

  /// Stores an element, replacing the one with the same id; returns false if there is no room for it.
  mutating func put(_ value: EditableJSON, as name: String) -> Bool {
    put(value, as: name, at: elements.firstIndex { $0.name == name })
  }

  /// Replaces the element at an index, or appends the element if the index is nil.
  private mutating func put(_ value: EditableJSON, as name: String, at index: Int?) -> Bool {
    let element = Element(name: name, value: value, size: value.measure.size)
    let grown = size + element.size - (index.map { elements[$0].size } ?? 0)
    guard grown <= ResourceDefinition.mostBytes, index != nil || elements.count < ResourceDefinition.mostElements else {
      return false
    }
    size = grown
    ownSize += element.size - (index.map { elements[$0].ownSize } ?? 0)
    if let number = Int(name), number > lastNumber, number < .max { lastNumber = number }
    if let index { elements[index] = element } else { elements.append(element) }
    return true
  }

  mutating func remove(_ name: String) {
    guard let index = elements.firstIndex(where: { $0.name == name }) else { return }
    let element = elements.remove(at: index)
    size -= element.size
    ownSize -= element.ownSize
  }

  mutating func removeAll() {
    elements = []
    (size, ownSize) = (0, 0)
  }
}

/// A page of a resource's elements, filtered and sorted as the definition allows.
struct ResourceList {
  private let request: ResourceRequest
  private let state: ResourceState
  private let items: [QueryItem]

  init(_ request: ResourceRequest, _ state: ResourceState) {
    self.request = request
    self.state = state
    items = QueryItem.parse(request.request.target.query ?? "")
  }

  var answer: HTTPResponse {
    let listing = request.definition.listing
    var elements = state.elements.map(\.value)
    for name in listing.filters {
      let wanted = items.filter { $0.name == name }.compactMap(\.value)
      guard !wanted.isEmpty else { continue }
      let steps = name.split(separator: ".").map(String.init)
      elements = elements.filter { element in
        element.value(at: steps)?.scalar.map { wanted.contains($0) } ?? false
      }
    }
    if let search = listing.search, let text = value(of: search.parameter) {
      let words = Self.words(of: text)
      let members = search.members.map { $0.split(separator: ".").map(String.init) }
      elements = elements.filter { element in
        let texts = members.compactMap { element.value(at: $0)?.scalar?.lowercased() }
        return words.allSatisfy { word in texts.contains { $0.contains(word) } }
      }
    }
    if let sort = listing.sort, let order = value(of: sort) { elements = sorted(elements, by: order) }
    let total = elements.count
    var size = listing.perPage
    if let name = listing.size, let text = value(of: name) {
      guard let asked = Int(text), asked >= 1 else {
        return request.refusal(400, "\(name) must be an integer of at least 1")
      }
      size = min(asked, ResourceDefinition.longestPage)
    }
    var page = 1
    if let name = listing.page, let text = value(of: name) {
      guard let asked = Int(text), asked >= 1 else {
        return request.refusal(listing.missingPage ?? 400, "\(name) must be an integer of at least 1")
      }
      page = asked
    }
    let pages = size.map { max(1, (total + $0 - 1) / $0) } ?? 1
    if let status = listing.missingPage, page > pages { return request.refusal(status, "There is no page \(page).") }
    if let size {
      let (start, isTooFar) = (page - 1).multipliedReportingOverflow(by: size)
      elements = isTooFar ? [] : Array(elements.dropFirst(start).prefix(size))
    }
    let next = page < pages ? address(ofPage: page + 1) : nil
    let previous = page > 1 && page <= pages + 1 ? address(ofPage: page - 1) : nil
    let values: [String: EditableJSON] = [
      "items": .array(elements), "page": .number(page), "size": .number(size ?? total), "total": .number(total),
      "pages": .number(pages), "next": next.map { .string($0) } ?? .null,
      "previous": previous.map { .string($0) } ?? .null,
    ]
    var response = request.response(.list, ResourceTemplate.filled(listing.envelope, values))
    let links = [next.map { "<\($0)>; rel=\"next\"" }, previous.map { "<\($0)>; rel=\"prev\"" }].compactMap(\.self)
    if !links.isEmpty { response.headers.append("Link", links.joined(separator: ", ")) }
    if size != nil { response.headers.append("X-Total-Count", "\(total)") }
    return response
  }

  /// The maximum number of words in a search; further words are ignored.
  private static let mostWords = 16

  /// Returns the lowercase words of a search, split at spaces and commas.
  private static func words(of text: String) -> [String] {
    text.lowercased().split { $0.isWhitespace || $0 == "," }.prefix(mostWords).map(String.init)
  }

  private func value(of name: String) -> String? { items.last { $0.name == name }?.value }

  /// Returns the URL of another page of the list: the page parameter, followed by all other parameters unchanged.
  private func address(ofPage page: Int) -> String? {
    guard let name = request.definition.listing.page else { return nil }
    var query: [UInt8] = []
    for item in [QueryItem(name: name, value: "\(page)")] + items.filter({ $0.name != name }) {
      if !query.isEmpty { query.append(UInt8(ascii: "&")) }
      query += PercentEncoding.encode(item.name.utf8)
      guard let value = item.value else { continue }
      query.append(UInt8(ascii: "="))
      query += PercentEncoding.encode(value.utf8)
    }
    let path = request.definition.paths[0] + request.definition.addressEnd
    return request.base + path + "?" + String(decoding: query, as: UTF8.self)
  }

  /// Sorts elements by an order such as `-created_at,title`.
  ///
  /// Numbers are compared by value, other values as strings. Elements without the member are last.
  private func sorted(_ elements: [EditableJSON], by order: String) -> [EditableJSON] {
    let keys = order.split(separator: ",").prefix(4).map { key in
      (steps: key.drop { $0 == "-" }.split(separator: ".").map(String.init), isDescending: key.hasPrefix("-"))
    }
    let rows = elements.map { element in (element: element, keys: keys.map { SortKey(element.value(at: $0.steps)) }) }
    return rows.sorted { one, other in
      for (index, key) in keys.enumerated() {
        let (left, right) = (one.keys[index], other.keys[index])
        if left == right { continue }
        if left == .missing || right == .missing { return right == .missing }
        return (left < right) != key.isDescending
      }
      return false
    }.map(\.element)
  }

  private enum SortKey: Comparable {
    case number(Double)
    case text(String)
    case missing

    init(_ value: EditableJSON?) {
      guard let value, !value.isNull, let text = value.scalar else {
        self = .missing
        return
      }
      self = value.string == nil ? Double(text).map { .number($0) } ?? .text(text) : .text(text)
    }
  }
}
