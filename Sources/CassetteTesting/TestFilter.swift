import CassetteSession
import Foundation
package import Testing

/// The value of `swift test --filter` that runs one test and no other: a regular expression for its full name.
package enum TestFilter {
  /// Returns the filter of the running test; nil if a helper of XCTest makes the call, whose test is unknown.
  package static func running(at location: SourceLocation, file: String) -> String? {
    if let test = Test.current { return of(test) }
    return SourceLines(path: file)?.test(around: location.line).map { ofXCTest($0, in: location.moduleName) }
  }

  /// Returns the filter of a test of Swift Testing, whose arguments cannot be selected.
  static func of(_ test: Test) -> String {
    let place = test.sourceLocation
    let end = "/\(place.fileName):\(place.line):\(place.column)"
    let name = "\(test.id)"
    return pattern(name.hasSuffix(end) ? String(name.dropLast(end.count)) : name)
  }

  /// Returns the filter of an XCTest method, `ProfileTests.testLogin`.
  static func ofXCTest(_ test: String, in module: String) -> String {
    let name = test.split(separator: ".").joined(separator: "/")
    return pattern("\(module).\(name)") + "$"
  }

  private static func pattern(_ name: String) -> String {
    // Foundation escapes slashes, which are ordinary characters in a regular expression.
    "^" + NSRegularExpression.escapedPattern(for: name).replacingOccurrences(of: "\\/", with: "/")
  }
}
