import Cassettes
import Foundation

/// The test files of a package, to find out whether a test that a cassette names still exists.
struct TestSources {
  private let files: [(name: String, text: String)]

  /// Reads the Swift files of the package that contains a cassette; without a package, those in the parent of the
  /// cassette's folder.
  init(near cassette: String) {
    var root = Folder.parent(of: Folder.parent(of: cassette))
    var folder = root
    while folder != "/", folder != "." {
      if Folder.resolvedKind(of: Folder.join(folder, "Package.swift")) == .file {
        root = folder
        break
      }
      folder = Folder.parent(of: folder)
    }
    files = Folder.files(in: root, skipping: ["node_modules", "Pods", "DerivedData"]).files
      .filter { $0.hasSuffix(".swift") }
      .compactMap { name in
        (try? CassetteFileBytes.read(path: Folder.join(root, name))).map {
          (name, String(decoding: $0, as: UTF8.self))
        }
      }
  }

  /// Returns true if one of the files contains the function of a test: `ProfileTests/profile()`,
  /// `ProfileTests.testProfile`.
  func hold(_ test: String) -> Bool { files.contains { Self.holds($0.text, test) } }

  /// Returns a file that names a cassette and has tests, none of which ran; nil if there is no such file.
  func fileLeftOut(_ cassette: String, of tests: Set<String>) -> String? {
    files.first { file in
      file.text.contains("\"\(cassette)\"") && (file.text.contains("@Test") || file.text.contains("func test"))
        && !tests.contains { Self.holds(file.text, $0) }
    }?.name
  }

  /// Returns the functions of the tests that name a cassette; nil if a suite or helper names it, because its tests are
  /// unknown.
  func tests(using cassette: String) -> Set<String>? {
    var found: Set<String> = []
    for (_, text) in files {
      var start = text.startIndex
      while let range = text.range(of: "\"\(cassette)\"", range: start..<text.endIndex) {
        start = range.upperBound
        guard let name = Self.test(naming: range, in: text) else { return nil }
        found.insert(name)
      }
    }
    return found
  }

  /// Returns the test whose attribute or body contains a range of a file.
  private static func test(naming range: Range<String.Index>, in text: String) -> String? {
    let before = text[..<range.lowerBound]
    func last(_ word: String) -> String.Index {
      before.range(of: word, options: .backwards)?.upperBound ?? text.startIndex
    }
    let (attribute, function, suite) = (last("@Test"), last("func "), last("@Suite"))
    func name(_ from: String.Index) -> String {
      let rest = text[from...]
      if rest.first == "`" { return String(rest.dropFirst().prefix { $0 != "`" }) }
      return String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    if attribute > function, attribute > suite {
      return text.range(of: "func ", range: range.upperBound..<text.endIndex).map { name($0.upperBound) }
    }
    guard function > suite else { return nil }
    let found = name(function)
    // An attribute belongs to the function if there is no other function between them.
    let isTest =
      found.hasPrefix("test")
      || attribute
        > (text[..<function].dropLast(5).range(of: "func ", options: .backwards)?.upperBound ?? text.startIndex)
    return isTest ? found : nil
  }

  private static func holds(_ text: String, _ test: String) -> Bool {
    let name = function(of: test)
    return !name.isEmpty
      && (text.contains("func \(name)(") || text.contains("func `\(name)`") || text.contains("func \(name)<"))
  }

  /// Returns the name of a test's function without suite and arguments.
  static func function(of test: String) -> String {
    // Arguments may contain any characters, and so may the name of a function in backticks.
    var name = test[...]
    if name.hasSuffix("]"), let open = name.lastIndex(of: "[") { name = name[..<open] }
    if name.hasSuffix(")"), let open = name.lastIndex(of: "(") { name = name[..<open] }
    let isXCTest = !name.contains("/")
    let end = name.lastIndex { $0 == "/" || isXCTest && $0 == "." }
    return end.map { String(name[name.index(after: $0)...]) } ?? String(name)
  }
}
