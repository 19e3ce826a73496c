/// A large value behind a reference that copies share.
///
/// The compiler emits the code that copies, assigns and destroys a struct for each struct that contains it, and for each
/// place that copies one of these. A box is one reference. Each change allocates a new box.
@propertyWrapper
package struct Boxed<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  /// Puts a value into a box.
  package init(wrappedValue: Value) { box = Box(wrappedValue) }

  /// The value.
  package var wrappedValue: Value {
    _read { yield box.value }
    _modify {
      var value = box.value
      defer { box = Box(value) }
      yield &value
    }
  }
}

extension Boxed: Equatable where Value: Equatable {
  package static func == (left: Boxed, right: Boxed) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension Boxed: Hashable where Value: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
