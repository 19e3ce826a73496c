internal import CassetteSystem

/// Reads private stored properties of a library's objects.
///
/// Reads only the requested property, because other threads may be changing the others.
enum Reflection {
  private struct Key: Hashable {
    let type: ObjectIdentifier
    let name: String
  }

  private struct Position {
    let ancestors: Int
    let offset: Int
  }

  private static let positions = Locked<[Key: Position]>([:])

  /// Returns the value of a stored property of the object's class or its superclasses; nil if there is no such
  /// property.
  static func property(_ name: String, of object: AnyObject) -> Any? {
    let key = Key(type: ObjectIdentifier(type(of: object)), name: name)
    var mirror = Mirror(reflecting: object)
    if let position = positions.withLock({ $0[key] }) {
      for _ in 0..<position.ancestors {
        guard let next = mirror.superclassMirror else { return nil }
        mirror = next
      }
      guard let children = AnyRandomAccessCollection(mirror.children), position.offset < children.count else {
        return nil
      }
      return children[children.index(children.startIndex, offsetBy: position.offset)].value
    }
    var ancestors = 0
    var current: Mirror? = mirror
    while let mirror = current {
      for (offset, child) in mirror.children.enumerated() where child.label == name {
        positions.withLock { $0[key] = Position(ancestors: ancestors, offset: offset) }
        return child.value
      }
      current = mirror.superclassMirror
      ancestors += 1
    }
    return nil
  }

  /// Returns the case of an enumeration and its associated value, also of an optional enumeration; nil if the optional
  /// is nil.
  static func enumCase(of value: Any) -> (name: String, payload: Any?)? {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.flatMap { enumCase(of: $0.value) }
    case .enum:
      guard let child = mirror.children.first else { return ("\(value)", nil) }
      return (child.label ?? "", child.value)
    default: return nil
    }
  }
}
