/// The elements of a resource in one session.
///
/// A value type, so that sessions share the storage of elements that they have not changed.
package struct ResourceState: Sendable {
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
  package private(set) var size = 0
  /// The approximate size in bytes of the elements that this session does not share with other sessions.
  package private(set) var ownSize = 0
  /// The greatest number ever used as an id, so that ids of deleted elements are not reused.
  private var lastNumber = 0
  private var created = 0

  /// Creates the state of a new session.
  package init(_ definition: ResourceDefinition) {
    for value in definition.seed { _ = put(value, as: value[definition.id]?.scalar ?? "") }
    for index in elements.indices { elements[index].isSeed = true }
    ownSize = 0
  }

  /// Creates a state from a JSON array of elements, each of which needs a unique id.
  package init(_ elements: [UInt8], of definition: ResourceDefinition) throws(ResourceError) {
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
