import Foundation
import StarWarsAPI
import Testing

@Suite struct `Decoding of the Star Wars API` {
  private struct Ship: Decodable {
    @Numeral var length: Double?
    @Numeral var crew: Int?
  }

  @Test(arguments: [
    ("\"172\"", 172), ("\"1,600\"", 1_600), ("\"342,953\"", 342_953), ("\"1000000000000\"", 1_000_000_000_000),
    ("\"1000km\"", 1_000), ("\" 36 \"", 36), ("\"0\"", 0), ("7", 7), ("\"unknown\"", nil), ("\"n/a\"", nil),
    ("\"none\"", nil), ("\"indefinite\"", nil), ("\"\"", nil), ("\"30-165\"", nil), ("\"1,60\"", nil), ("\"1,\"", nil),
    ("\"12.5\"", nil), ("null", nil), ("\"99999999999999999999\"", nil),
  ])
  func `a whole number in a string is decoded, and any other string is nil`(text: String, number: Int?) throws {
    let ship = try JSONDecoder().decode(Ship.self, from: Data("{\"length\": null, \"crew\": \(text)}".utf8))
    #expect(ship.crew == number)
  }

  @Test(arguments: [
    ("\"36.8 \"", 36.8), ("\"1,600\"", 1_600), ("\"1,600.5\"", 1_600.5), ("\"0.5\"", 0.5), ("\"-1\"", -1),
    ("3.68", 3.68),
    ("\"unknown\"", nil), ("\"nan\"", nil), ("\"inf\"", nil),
  ])
  func `a decimal number in a string is decoded, and any other string is nil`(text: String, number: Double?) throws {
    let ship = try JSONDecoder().decode(Ship.self, from: Data("{\"length\": \(text), \"crew\": null}".utf8))
    #expect(ship.length == number)
  }

  @Test(arguments: ["true", "[]", "{}"])
  func `a JSON value that is neither a string nor a number throws a decoding error`(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Ship.self, from: Data("{\"length\": null, \"crew\": \(text)}".utf8))
    }
  }

  @Test(arguments: [("https://swapi.dev/api/people/1/", 1), ("http://127.0.0.1:8080/api/people/68", 68)])
  func `a link is decoded to the number at its end`(text: String, id: Int) throws {
    #expect(try JSONDecoder().decode([Link<Person>].self, from: JSONEncoder().encode([text])) == [Link(id)])
  }

  @Test(arguments: ["https://swapi.dev/api/people/", "", "/"])
  func `a link without a number throws a decoding error`(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Link<Person>].self, from: JSONEncoder().encode([text]))
    }
  }
}
