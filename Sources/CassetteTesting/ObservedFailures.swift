internal import CassetteSystem

#if canImport(XCTest) && !canImport(Darwin)
  import XCTest
#endif

/// Counts the failures of XCTest tests.
///
/// Tests run one after the other, so a call in a test compares the count to detect a failure.
enum ObservedFailures {
  /// The number of failures since the first access.
  static var count: Int { observer.count }

  private static let observer = Observer.made()

  #if canImport(XCTest) && !canImport(Darwin)
    private final class Observer: XCTestObservation, Sendable {
      private let failures = Counter()

      var count: Int { failures.value }

      static func made() -> Observer {
        let observer = Observer()
        XCTestObservationCenter.shared.addTestObserver(observer)
        return observer
      }

      func testCase(
        _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
        atLine lineNumber: Int
      ) {
        failures.add(1)
      }
    }
  #else
    // On Apple platforms, `beginCassette` reads the failures from the test run of its case.
    private struct Observer {
      let count = 0

      static func made() -> Observer { Observer() }
    }
  #endif
}
