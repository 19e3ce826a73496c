internal import Testing

// The only code that depends on the Swift version: issues have a severity only after Swift 6.2.
extension Issue {
  #if compiler(>=6.3)
    /// True if an issue can be a warning.
    static let canWarn = true

    /// True if the issue fails its test.
    var failsTest: Bool { isFailure }

    /// Records a warning for the running test.
    static func warn(_ message: String, _ location: SourceLocation) {
      record("\(message)", severity: .warning, sourceLocation: location)
    }
  #else
    /// True if an issue can be a warning.
    package static let canWarn = false

    /// True if the issue fails its test: without severities, every recorded issue does.
    package var failsTest: Bool { true }

    /// Attaches a warning to the running test as text.
    static func warn(_ message: String, _ location: SourceLocation) {
      Attachment.record(message, named: "cassettes.txt", sourceLocation: location)
    }
  #endif
}
