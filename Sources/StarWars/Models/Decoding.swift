import Foundation

extension JSONDecoder {
  /// Reads what the API writes: `snake_case`, instants with six digits of a second, and days.
  static var starWars: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      do {
        // 2014-12-10T14:23:31.880000Z, or 1977-05-25: a film is released for a whole day.
        return try text.contains("T")
          ? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text)
          : Date.ISO8601FormatStyle().year().month().day().parse(text)
      } catch {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is no date")
      }
    }
    return decoder
  }
}

/// A number that the API writes as a string, nil for "unknown", "n/a" and everything else that is no number.
///
/// Groups of thousands (`1,600`), blanks (`36.8 `) and a unit (`1000km`) do not matter; a range (`30-165`) is no number.
@propertyWrapper
public struct Numeral<Value: LosslessStringConvertible & Decodable & Hashable & Sendable>: Decodable, Hashable, Sendable
{
  /// The number.
  public var wrappedValue: Value?

  /// A number that is not known.
  public init() {}

  /// A number that is known, or is not.
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

/// A link from one resource to another; what it leads to is part of its type.
public struct Link<Resource>: Decodable, Hashable, Sendable {
  /// The number in the link: 1 in `https://swapi.dev/api/people/1/`.
  public let id: Int

  /// A link to a resource.
  ///
  /// - Parameter id: Its number.
  public init(_ id: Int) { self.id = id }

  /// Reads a URL that ends with a number.
  ///
  /// - Parameter decoder: Where it is read from.
  /// - Throws: `DecodingError` when there is no number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = text.split(separator: "/").last.flatMap({ Int($0) }) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" does not end with a number")
    }
    self.id = id
  }
}
