import CassetteSession
internal import CassetteSystem
import Testing

extension RecordingTest {
  /// Creates the name of a Swift Testing test: `ProfileTests/profile()`, with the arguments of its case.
  init(_ test: Test, _ testCase: Test.Case?, at location: SourceLocation) {
    var name = "\(test.id)"
    let place = test.sourceLocation
    let end = "/\(place.fileName):\(place.line):\(place.column)"
    if name.hasSuffix(end) { name = String(name.dropLast(end.count)) }
    // The module is omitted, because it is known from the folder of the cassette.
    if let dot = name.firstIndex(of: "."), !name[..<dot].contains("`") {
      name = String(name[name.index(after: dot)...])
    }
    name.removeAll { $0 == "`" }
    if let arguments = CaseName.of(testCase) { name += "[\(Self.shortened(arguments))]" }
    self.init(name: name, site: "\(location)")
  }

  /// Creates the name from the function that requests a recording, if no Swift Testing test is running.
  init(function: String, at location: SourceLocation) {
    let file = location.fileName.hasSuffix(".swift") ? String(location.fileName.dropLast(6)) : location.fileName
    self.init(name: "\(file)/\(function)", site: "\(location)")
  }

  /// Creates the name of an XCTest test: `ProfileTests.testLogin`, on Apple platforms from `-[AppTests.ProfileTests
  /// testLogin]`.
  init(xctest name: String, at location: SourceLocation) {
    var name = name
    if name.hasPrefix("-["), name.hasSuffix("]") {
      let words = name.dropFirst(2).dropLast().split(separator: " ").map(String.init)
      let type = words.first.flatMap { $0.split(separator: ".").last } ?? ""
      name = ([String(type)] + words.dropFirst()).joined(separator: ".")
    }
    self.init(name: name, site: "\(location)")
  }

  /// Returns the name of the running test.
  static func running(_ function: String, at location: SourceLocation) -> RecordingTest {
    Test.current.map { RecordingTest($0, Test.Case.current, at: location) }
      ?? RecordingTest(function: function, at: location)
  }

  /// Returns short arguments unchanged, and the hash of long arguments, which may contain a secret.
  private static func shortened(_ arguments: String) -> String {
    guard arguments.utf8.count > 24 else { return arguments }
    return String(arguments.utf8.stableHash, radix: 16)
  }
}
