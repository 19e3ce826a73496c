import CassettePatterns
import Testing

@testable import CassetteJSON

@Suite struct JSONQueryTests {
  private static let store = #"""
    {"store": {"books": [
      {"title": "Sayings", "price": 8.95, "tags": ["a", "b"]}, {"title": "Sword", "price": 12.99, "isbn": "x-1"},
      {"title": "Moby Dick", "price": 8.99, "isbn": "y-2"}], "bike": {"price": 399}}, "limit": 10, "x-y": [1, 2, 3, 4]}
    """#

  @Test(arguments: [
    ("$.store.books[*].title", #"["Sayings","Sword","Moby Dick"]"#), ("$..price", "[8.95,12.99,8.99,399]"),
    ("$.store.books[?@.price < $.limit].title", #"["Sayings","Moby Dick"]"#), ("$.store.books[-1].isbn", #"["y-2"]"#),
    ("$.store.books[?@.isbn].title", #"["Sword","Moby Dick"]"#), ("$['x-y'][::-1]", "[4,3,2,1]"),
    ("$['x-y'][1:3]", "[2,3]"), ("$['x-y', 'limit']", "[[1, 2, 3, 4],10]"), ("$.store.books[0,0].price", "[8.95,8.95]"),
    ("$.store.books[?length(@.tags) == 2].title", #"["Sayings"]"#), ("$..[?@ == 'b']", #"["b"]"#),
    ("$.store.books[?match(@.isbn, '[a-z]-[0-9]') && !search(@.title, 'Dick')].title", #"["Sword"]"#),
    ("$.store.books[?count(@.*) == 3 && value(@..price) > 12].title", #"["Sword"]"#), ("$.nothing", "[]"),
    ("$.store.books[?@.price == 8.990 || @.title == \"Sword\"].price", "[12.99,8.99]"),
  ])
  func `a JSONPath query selects the expected values`(_ path: String, _ values: String) throws {
    let tree = try #require(JSONTree(Array(Self.store.utf8)))
    var budget = MatchingBudget()
    let nodes = try #require(try JSONQuery(path).nodes(in: tree, &budget))
    let found = nodes.map { String(decoding: tree.bytes[$0.range], as: UTF8.self) }
    #expect("[\(found.joined(separator: ","))]" == values)
  }

  @Test(arguments: [
    ("", 1, "a path begins with \"$\""), ("store", 1, "a path begins with \"$\""), ("$.", 3, "expected a name"),
    ("$.a-b.c", 3, "this name must be quoted in brackets: write ['a-b']"),
    ("$.1", 3, "this name must be quoted in brackets: write ['1']"), ("$ ", 2, "unexpected character in the path"),
    ("$[01]", 3, "a number must not begin with a zero"),
    ("$[9007199254740992]", 3, "the number is greater than 9007199254740991"),
    ("$[1", 4, "expected \",\" or \"]\""), ("$['é", 3, "the closing quote is missing"),
    ("$['é']x", 7, "unexpected character in the path"),
    (#"$['\x']"#, 4, "unknown escape sequence"), (#"$['\ud800']"#, 3, "the escape sequence is not a valid character"),
    ("$[?@.a == @.*]", 11, "a path that selects several values cannot be compared"),
    ("$[?1]", 4, "expected a comparison after the value"),
    ("$[?length(@.a)]", 4, "expected a comparison after the value"),
    ("$[?match(@.a, 'b') == true]", 4, "a condition cannot be used as a value"),
    ("$[?first(@.a) == 1]", 4, "unknown function \"first\""), ("$[?count(1) == 1]", 10, "expected a path"),
    ("$[?match(@.a)]", 13, "\"match\" takes 2 values"), ("$[?(@.a]", 8, "expected \")\""),
    (
      "$[?\(String(repeating: "(", count: 60))@\(String(repeating: ")", count: 60))]", 53,
      "the expression is nested too deeply"
    ),
  ])
  func `an invalid path is an error with its column`(_ path: String, _ column: Int, _ message: String) {
    let problem = #expect(throws: JSONQuery.Problem.self) { try JSONQuery(path) }
    #expect(problem?.message == message)
    #expect(problem?.column == column)
  }

  @Test(arguments: ["$[?search(@, '(')]", "$[?match(@, '[b-a]')]", "$[?match(@, 'a++')]"])
  func `a filter with an invalid pattern selects nothing`(_ path: String) throws {
    let tree = try #require(JSONTree(Array(#"["1", "(", "a", "b"]"#.utf8)))
    var budget = MatchingBudget()
    #expect(try JSONQuery(path).nodes(in: tree, &budget)?.isEmpty == true)
  }

  @Test(arguments: [
    "$[?count($[?count($.*) > 0]) > 0]", "$[?@ == 1 || $[?$[?@ == 1]]]", "$..*..*..*..*",
    "$[\(Array(repeating: "*", count: 800).joined(separator: ","))]",
  ])
  func `a path that exceeds its budget returns nil and counts as undecided`(_ path: String) throws {
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    let text = "[" + String(repeating: "0,", count: 3_000) + deep + "]"
    let tree = try #require(JSONTree(Array(text.utf8)))
    var budget = MatchingBudget()
    let query = try JSONQuery(path)
    #expect(query.nodes(in: tree, &budget) == nil)
    #expect(budget.undecided > 0)
  }
}
