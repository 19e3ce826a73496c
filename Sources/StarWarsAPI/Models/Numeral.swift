import Foundation

/// A number that the API writes as a string, nil for "unknown", "n/a" and everything else that is no number.
///
/// Groups of thousands (`1,600`), blanks (`36.8 `) and a unit (`1000km`) do not matter; a range (`30-165`) is no number.
@propertyWrapper
public struct Numeral<Value: LosslessStringConvertible & Decodable & Hashable & Sendable>: Decodable, Hashable, Sendable
{
  /// The number.
  public var wrappedValue: Value?

  /// Creates a number that is not known.
  public init() {}

  /// Creates a number; nil is one that is not known.
  ///
  /// - Parameter wrappedValue: The number.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// Reads a string, a number or null.
  ///
  /// - Parameter decoder: Where it is read from.
  /// - Throws: `DecodingError` for anything else.
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
