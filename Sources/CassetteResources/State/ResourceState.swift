/// The elements of a resource in one session.
///
/// A value: what a session has not changed it shares with all others.
package struct ResourceState: Sendable {
  /// An element, and its name as text.
  struct Element: Sendable {
    let name: String
    let value: EditableJSON
    let size: Int
    /// True if every session begins with the element.
    var isSeed = false

    var ownSize: Int { isSeed ? 0 : size }
  }

  private(set) var elements: [Element] = []
  /// The approximate number of bytes of all elements.
  package private(set) var size = 0
  /// The number of those bytes that are this session's alone.
  package private(set) var ownSize = 0
  /// The greatest number that was ever a name: none is given out twice.
  private var lastNumber = 0
  private var created = 0

  /// Creates the state that a session begins with.
  package init(_ definition: ResourceDefinition) {
    for value in definition.seed { _ = put(value, as: value[definition.id]?.scalar ?? "") }
    for index in elements.indices { elements[index].isSeed = true }
    ownSize = 0
  }

  /// The state that has the elements of a JSON array, each with a name of its own, and no others.
  package init(_ elements: [UInt8], of definition: ResourceDefinition) throws(ResourceError) {
    guard case .array(let values)? = EditableJSON(elements) else {
      throw ResourceError(message: "the elements are a JSON array of objects", offset: 0)
    }
    for (number, value) in values.enumerated() {
      guard value.isObject, let name = value[definition.id]?.scalar, value[definition.id]?.isNull == false,
        element(name) == nil
      else {
        throw ResourceError(message: "element \(number) is no object with a \"\(definition.id)\" of its own", offset: 0)
      }
      guard put(value, as: name) else { throw ResourceError(message: "these are too many elements", offset: 0) }
    }
  }

  /// The elements as a JSON array.
  package var json: [UInt8] { EditableJSON.array(elements.map(\.value)).bytes }

  /// The number of elements.
  package var count: Int { elements.count }

  func element(_ name: String) -> EditableJSON? { elements.first { $0.name == name }?.value }

  /// The name of the next element.
  mutating func nextName(_ naming: ResourceDefinition.Naming) -> EditableJSON {
    created += 1
    switch naming {
    case .number: return .number(lastNumber + 1)
    case .uuid:
      let digits = String(created, radix: 16)
      return .string("00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits)
    }
  }

  /// Puts an element in the place of the one of its name, or behind all others, and tells if there was room for it.
  mutating func put(_ value: EditableJSON, as name: String) -> Bool {
    let element = Element(name: name, value: value, size: value.measure.size)
    let index = elements.firstIndex { $0.name == name }
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
