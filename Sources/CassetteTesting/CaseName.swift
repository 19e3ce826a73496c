import Testing

/// The part of a file name that identifies one case of a parameterized test.
enum CaseName {
  /// Returns the arguments of a case, joined with hyphens; nil without arguments.
  ///
  /// Swift Testing has no public API for the arguments, so they are read by reflection.
  static func of(_ testCase: Test.Case?) -> String? {
    guard let testCase, let arguments = arguments(in: testCase, depth: 3), !arguments.isEmpty else { return nil }
    return arguments.map { name(of: $0) }.joined(separator: "-")
  }

  private static func arguments(in value: Any, depth: Int) -> [Any]? {
    guard depth > 0 else { return nil }
    for child in Mirror(reflecting: value).children {
      if child.label == "arguments" {
        return Mirror(reflecting: child.value).children.compactMap { argument in
          Mirror(reflecting: argument.value).children.first { $0.label == "value" }?.value
        }
      }
      if let found = arguments(in: child.value, depth: depth - 1) { return found }
    }
    return nil
  }

  /// Returns the letters and digits of a value, with a hyphen for each run of other characters.
  private static func name(of value: Any) -> String {
    "\(value)".split { !$0.isLetter && !$0.isNumber && $0 != "_" }.joined(separator: "-")
  }
}
