import Cassettes
import Foundation

/// The test files of a package, asked whether a test that a cassette names is still there.
struct TestSources {
  private let files: [(name: String, text: String)]

  /// Reads the Swift files of the package that a cassette lies in; of its folder's folder, where there is none.
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

  /// Tells whether a test's function is in any of them: `ProfileTests/profile()`, `ProfileTests.testProfile`.
  func hold(_ test: String) -> Bool { files.contains { Self.holds($0.text, test) } }

  /// A file that names a cassette and has tests, none of which is among those that ran.
  func fileLeftOut(_ cassette: String, of tests: Set<String>) -> String? {
    files.first { file in
      file.text.contains("\"\(cassette)\"") && (file.text.contains("@Test") || file.text.contains("func test"))
        && !tests.contains { Self.holds(file.text, $0) }
    }?.name
  }

  private static func holds(_ text: String, _ test: String) -> Bool {
    let name = function(of: test)
    return !name.isEmpty
      && (text.contains("func \(name)(") || text.contains("func `\(name)`") || text.contains("func \(name)<"))
  }

  /// The bare name of a test's function.
  static func function(of test: String) -> String {
    // Arguments may hold anything, the name of a function in backticks nearly so.
    var name = test[...]
    if name.hasSuffix("]"), let open = name.lastIndex(of: "[") { name = name[..<open] }
    if name.hasSuffix(")"), let open = name.lastIndex(of: "(") { name = name[..<open] }
    let isXCTest = !name.contains("/")
    let end = name.lastIndex { $0 == "/" || isXCTest && $0 == "." }
    return end.map { String(name[name.index(after: $0)...]) } ?? String(name)
  }
}
