import TestSupport
import Testing

@testable import CassetteMaintenance
@testable import CassetteMatching

/// Differences between the shapes of two JSON values.
struct JSONShapeTests {
  private func differences(_ old: String, _ new: String, ignoring places: [String] = []) throws -> [String] {
    var ignored = IgnoredPlaces()
    for place in places {
      let isPlace = ignored.insert(place)
      #expect(isPlace)
    }
    var comparison = ShapeComparison(ignoring: ignored)
    comparison.compare(try #require(JSONShape(Array(old.utf8))), try #require(JSONShape(Array(new.utf8))))
    return comparison.differences.map { ($0.isError ? "" : "i ") + "\($0)" }
  }

  @Test(
    arguments: [
      // Values are ignored.
      (#"{"a":1,"b":"x","c":true,"d":null,"e":[1],"f":{}}"#, #"{"f":{},"e":[],"d":null,"c":false,"b":"","a":2e9}"#, []),
      ("\u{feff}{\"a\":1}", "{\"a\":2}", []),
      ("{\"a\":1}", "\u{feff}{\"b\":1}", ["$.a: was a number, is gone", "i $.b: is new, a number"]),
      (#"{"a":1}"#, #"{}"#, ["$.a: was a number, is gone"]),
      (#"{"a":null}"#, #"{}"#, ["$.a: was null, is gone"]),
      (#"{"a":1}"#, #"{"a":"1"}"#, ["$.a: was a number, is a string"]),
      (
        #"{"a":{"b":{"c":[{"d e":1}]}}}"#, #"{"a":{"b":{"c":[{"d e":true}]}}}"#,
        [
          #"$.a.b.c[*]["d e"]: was a number, is a boolean"#
        ]
      ),
      (#"{"a":1}"#, #"{"a":1,"b":[2]}"#, ["i $.b: is new, an array"]),
      // Null does not determine the type of another value.
      (#"{"a":null}"#, #"{"a":{"b":1}}"#, ["i $.a: was null, is an object"]),
      (#"{"a":"x"}"#, #"{"a":null}"#, ["$.a: was a string, is null"]),
      (#"[{"a":"x"},{"a":null}]"#, #"[{"a":null},{"a":null}]"#, []),
      (#"[{"a":"x"},{"a":null}]"#, #"[{"a":1}]"#, ["$[*].a: was a string or null, is a number"]),
      // Arrays are the union of their elements.
      ("[1,2]", "[]", []),
      ("[]", #"[{"a":1}]"#, []),
      ("[1]", #"[1,"x",null]"#, ["$[*]: was a number, is a string, a number or null"]),
      (#"[{"a":1},{"a":1,"b":2}]"#, #"[{"a":1}]"#, []),
      (#"[{"a":1},{"a":1}]"#, #"[{"a":1},{},{}]"#, ["$[*].a: is missing in 2 of 3"]),
      ("[[1],[]]", #"[["x"]]"#, ["$[*][*]: was a number, is a string"]),
      // A fraction instead of a whole number matters to clients that decode an integer.
      (#"{"a":10}"#, #"{"a":10.5}"#, ["i $.a: was a whole number, is a fraction"]),
      (#"{"a":10}"#, #"{"a":10.0}"#, []),
      (#"{"a":10.5}"#, #"{"a":10}"#, []),
      // Member names that are data are treated as entries of a table.
      (#"{"2026-11-20":{"n":1}}"#, #"{"2026-11-21":{"n":2}}"#, []),
      (#"{"days":{"2026-11-20":{"n":1}}}"#, #"{"days":{"2026-11-21":{}}}"#, ["$.days.*.n: was a number, is gone"]),
      (
        #"{"4e1e4a0e-0b7a-4a6c-9a3e-0d3f1c1b2a3d":1}"#, #"{"5f1e4a0e-0b7a-4a6c-9a3e-0d3f1c1b2a3d":"x"}"#,
        ["$.*: was a number, is a string"]
      ),
      (#"{"7":1}"#, #"{}"#, []),
      // The root.
      (#"{"a":1}"#, "[]", ["$: was an object, is an array"]),
      (#"{"a":1}"#, "null", ["$: was an object, is null"]),
      // A repeated name is one member.
      (#"[{"a":1,"a":2},{}]"#, "[{}]", []),
    ] as [(String, String, [String])])
  func `a removed or changed member is an error, and a new one is information`(
    old: String, new: String, expected: [String]
  ) throws {
    #expect(try differences(old, new) == expected)
  }

  @Test(
    arguments: [
      (["$.a"], ["$.b[*].c: was a number, is a string"]), (["$.b[*].c"], ["$.a: was a number, is gone"]),
      (["$.b[].c", "$.a"], []), (["$.b"], ["$.a: was a number, is gone"]), (["$"], []),
      (["$.aa", "$.b[*].cc"], ["$.a: was a number, is gone", "$.b[*].c: was a number, is a string"]),
    ] as [([String], [String])])
  func `an ignored place is ignored with all values below it`(places: [String], expected: [String]) throws {
    let (old, new) = (#"{"a":1,"b":[{"c":1}]}"#, #"{"b":[{"c":"x"}]}"#)
    #expect(try differences(old, new, ignoring: places) == expected)
  }

  @Test(arguments: ["a", "header:", "$.", "$..a", "", "$[0", "headers:X"])
  func `an invalid place cannot be ignored`(place: String) {
    var ignored = IgnoredPlaces()
    let isPlace = ignored.insert(place)
    #expect(!isPlace)
  }

  @Test(arguments: 0..<60)
  func `a value does not differ from itself, and a removed member is a difference`(_ seed: Int) throws {
    var json = RandomJSON(random: Seeded(UInt64(seed) + 5), space: [""])
    let value = json.value()
    #expect(try differences(value, value).isEmpty)
    let old = #"{"more":\#(value),"gone":\#(json.value())}"#
    #expect(try differences(old, #"{"more":\#(value)}"#).count == 1)
    #expect(try differences(#"{"more":\#(value)}"#, old).allSatisfy { $0.hasPrefix("i $.gone: is new") })
    // One of the two elements is within the union of both.
    let both = "[\(value),\(json.value())]"
    #expect(try differences(both, "[\(value)]").isEmpty)
  }

  @Test func `shape differences beyond the limit are not listed`() throws {
    let names = (0..<500).map { #""n\#($0)x":1"# }
    #expect(try differences("{\(names.joined(separator: ","))}", "{}").count == ShapeComparison.limit)
  }

  @Test(arguments: ["", "{", "nul", "{}x"])
  func `invalid JSON has no shape`(text: String) { #expect(JSONShape(Array(text.utf8)) == nil) }
}
