internal import CassetteSystem

#if canImport(XCTest) && !canImport(Darwin)
  import XCTest
#endif

/// The failures of XCTest's tests, which run one after the other: a call in one of them sees by the count whether it failed.
enum ObservedFailures {
  /// The number of failures since this was first asked for.
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
    // There, a case's own record has them: `beginCassette` reads it.
    private struct Observer {
      let count = 0

      static func made() -> Observer { Observer() }
    }
  #endif
}
