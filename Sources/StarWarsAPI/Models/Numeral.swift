import Foundation

/// A number that the API encodes as a string; nil for "unknown", "n/a" and all other text that is not a number.
///
/// Thousands separators (`1,600`), spaces (`36.8 `) and a unit (`1000km`) are ignored. A range (`30-165`) is not a
/// number.
@propertyWrapper
public struct Numeral<Value: LosslessStringConvertible & Decodable & Hashable & Sendable>: Decodable, Hashable, Sendable
{
  /// The number.
  public var wrappedValue: Value?

  /// Creates an unknown number.
  public init() {}

  /// Creates a number, or an unknown number from nil.
  ///
  /// - Parameter wrappedValue: The number.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// Decodes a string, a number or null.
  ///
  /// - Parameter decoder: The decoder that contains the value.
  /// - Throws: `DecodingError` for other types of values.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      wrappedValue = nil
    } else if let number = try? container.decode(Value.self) {
      wrappedValue = number
    } else {
      wrappedValue = Self.number(in: try container.decode(String.self))
    }
  }

  static func number(in text: String) -> Value? {
    let digits = text.trimmingCharacters(in: .letters.union(.whitespaces))
    let groups = digits.split(separator: ",", omittingEmptySubsequences: false)
    guard groups.dropFirst().allSatisfy({ $0.prefix { $0.isNumber }.count == 3 }) else { return nil }
    return Value(groups.joined())
  }
}
