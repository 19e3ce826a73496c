import CassettePlayback
import Cassettes
import Foundation
import Testing

#if canImport(XCTest)
  import XCTest
#endif

/// The result of a test, or of the part of a test that used a cassette.
package struct TestEnding {
  /// True if the test failed for another reason than a miss.
  package var failed = false
  /// True if the test has neither recordings nor stubs, so that it need not send requests.
  var isIdle = false
  /// The error that the test threw.
  package var error: (any Error)?
  /// True if the last miss is reported by a thrown error, see ``Report/stop(_:missing:)``.
  var throwsLastMiss = false

  init(failed: Bool = false) { self.failed = failed }

  init(_ error: any Error) {
    self.error = error
    failed = true
  }

  /// Returns true if an error was caused by one of the misses, even if a client wrapped the session's error.
  static func tells(_ error: any Error, of misses: [Miss]) -> Bool {
    guard !misses.isEmpty else { return false }
    // Clients wrap the session's error in their own, which contains its message.
    let words = ["\(error)", (error as NSError).localizedDescription]
    return misses.contains { miss in words.contains { $0.contains(miss.reason) } }
  }
}

extension Report {
  /// Fails the test once for each miss, together with the error that it caused; returns the message of the last miss if
  /// the test should throw it.
  func tell(_ misses: [Miss], _ ending: TestEnding) -> String? {
    var counts: [String: Int] = [:]
    for miss in misses { counts[miss.text, default: 0] += 1 }
    var thrown = ending.error
    if let error = thrown, TestEnding.tells(error, of: misses) { thrown = nil }
    var texts: [String] = []
    for miss in misses {
      guard let count = counts.removeValue(forKey: miss.text) else { continue }
      texts.append(count > 1 ? "\(miss.text)\n  The request was sent \(count) times." : miss.text)
    }
    if let error = thrown, let last = texts.popLast() { texts.append("\(last)\n  The test then threw: \(error)") }
    let last = ending.throwsLastMiss ? texts.popLast() : nil
    for text in texts { fail(text) }
    return last
  }

  /// Fails the test at the line of the call, and returns an error to throw that no test framework reports again.
  package func stop<Missing>(_ message: String, missing: Missing.Type) -> any Error {
    #if canImport(XCTest)
      if let file, Test.current == nil {
        #if !canImport(Darwin)
          if let error = Self.reportedError {
            fail(message)
            return error
          }
        #endif
        return Self.unwrapping(missing, message, file, UInt(clamping: location.line))
      }
    #endif
    do {
      let answeringRecording: Interaction? = nil
      _ = try #require(answeringRecording, "\(message)", sourceLocation: location)
    } catch {
      return error
    }
    return CancellationError()
  }

  #if canImport(XCTest) && !canImport(Darwin)
    /// The error that XCTest does not report, because `XCTUnwrap` has reported the failure; nil if XCTest has no such
    /// type.
    ///
    /// `XCTUnwrap` would add a prefix to the message, so the error is created without it.
    static let reportedError: (any Error)? = {
      func instance<Failure: Error>(_ type: Failure.Type) -> (any Error)? {
        // An empty structure has only one value.
        MemoryLayout<Failure>.size == 0 ? unsafeBitCast((), to: type) : nil
      }
      // XCTest.XCTestErrorWhileUnwrappingOptional
      guard let type = _typeByName("6XCTest0A28ErrorWhileUnwrappingOptionalV") as? any Error.Type else { return nil }
      return instance(type)
    }()
  #endif

  #if canImport(XCTest)
    /// Fails an XCTest at a line, and returns the only error that XCTest does not report again.
    private static func unwrapping<Missing>(
      _ type: Missing.Type, _ message: String, _ file: StaticString, _ line: UInt
    ) -> any Error {
      do {
        _ = try XCTUnwrap(Missing?.none, message, file: file, line: line)
      } catch {
        return error
      }
      return CancellationError()
    }
  #endif
}
