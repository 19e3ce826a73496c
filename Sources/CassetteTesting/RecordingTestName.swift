import CassetteSession
internal import CassetteSystem
import Testing

extension RecordingTest {
  /// Names a test of Swift Testing: `ProfileTests/profile()`, its cases by their arguments.
  init(_ test: Test, _ testCase: Test.Case?, at location: SourceLocation) {
    var name = "\(test.id)"
    let place = test.sourceLocation
    let end = "/\(place.fileName):\(place.line):\(place.column)"
    if name.hasSuffix(end) { name = String(name.dropLast(end.count)) }
    // The module is that of the folder the cassette is in.
    if let dot = name.firstIndex(of: "."), !name[..<dot].contains("`") {
      name = String(name[name.index(after: dot)...])
    }
    name.removeAll { $0 == "`" }
    if let arguments = CaseName.of(testCase) { name += "[\(Self.shortened(arguments))]" }
    self.init(name: name, site: "\(location)")
  }

  /// Names a test by the function that asks for a recording, where no test of Swift Testing runs.
  init(function: String, at location: SourceLocation) {
    let file = location.fileName.hasSuffix(".swift") ? String(location.fileName.dropLast(6)) : location.fileName
    self.init(name: "\(file)/\(function)", site: "\(location)")
  }

  /// Names a test of XCTest: `ProfileTests.testLogin`, on Apple platforms `-[AppTests.ProfileTests testLogin]`.
  init(xctest name: String, at location: SourceLocation) {
    var name = name
    if name.hasPrefix("-["), name.hasSuffix("]") {
      let words = name.dropFirst(2).dropLast().split(separator: " ").map(String.init)
      let type = words.first.flatMap { $0.split(separator: ".").last } ?? ""
      name = ([String(type)] + words.dropFirst()).joined(separator: ".")
    }
    self.init(name: name, site: "\(location)")
  }

  /// Names the test that runs.
  static func running(_ function: String, at location: SourceLocation) -> RecordingTest {
    Test.current.map { RecordingTest($0, Test.Case.current, at: location) }
      ?? RecordingTest(function: function, at: location)
  }

  /// Arguments that are short say what they are; a long one may be anything, a secret too, and is told by a number.
  private static func shortened(_ arguments: String) -> String {
    guard arguments.utf8.count > 24 else { return arguments }
    return String(arguments.utf8.stableHash, radix: 16)
  }
}
