package import Testing

// The one place that tells Swift Testing of Swift 6.2 from later versions, which know the severity of an issue.
extension Issue {
  #if compiler(>=6.3)
    /// True if an issue can be a warning.
    package static let canWarn = true

    /// True if the issue fails its test.
    package var failsTest: Bool { isFailure }

    /// Records a warning in the running test.
    static func warn(_ message: String, _ location: SourceLocation) {
      record("\(message)", severity: .warning, sourceLocation: location)
    }
  #else
    /// True if an issue can be a warning.
    package static let canWarn = false

    /// True if the issue fails its test: without severities every recorded issue does.
    package var failsTest: Bool { true }

    /// Attaches a warning to the running test, as a text.
    static func warn(_ message: String, _ location: SourceLocation) {
      Attachment.record(message, named: "cassettes.txt", sourceLocation: location)
    }
  #endif
}
