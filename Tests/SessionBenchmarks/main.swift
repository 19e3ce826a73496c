import CassetteSession
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Compares a response from a deck with the response of a constant URL protocol, in the same run:
//
//     swift run -c release SessionBenchmarks [ROUNDS [REQUESTS [REQUESTS FOR MEMORY]]]
//
// Times vary with the machine: quote the ratio. These are measurements and not tests: no figure causes a failure.
let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let (rounds, requests) = (arguments.first ?? 5, arguments.dropFirst().first ?? 20_000)
let more = arguments.dropFirst(2).first ?? 100_000

/// Elapsed time and processor time in microseconds.
struct Time {
  var passed = 0.0
  var worked = 0.0
}

/// Measures the time of a number of requests, of which `wide` are sent at a time.
func time(_ session: URLSession, _ requests: Int, wide: Int) async throws -> Time {
  let request = Exchange.request
  let (clock, worked) = (ContinuousClock(), Usage.microseconds)
  let duration = try await clock.measure {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<wide {
        group.addTask {
          for _ in 0..<(requests / wide) {
            let (data, _) = try await session.data(for: request)
            guard data.count == Exchange.body.count else { throw URLError(.cannotParseResponse) }
          }
        }
      }
      try await group.waitForAll()
    }
  }
  return Time(passed: duration / .microseconds(1), worked: Usage.microseconds - worked)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Formats a number with two decimal places.
func fixed(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

let constant = ConstantProtocol.session
let player = CassettePlayer([Exchange.cassette])
let deck = player.session()

for wide in [1, 64] {
  _ = try await (time(constant, min(2_000, requests), wide: wide), time(deck, min(2_000, requests), wide: wide))
  var times: [(constant: Time, deck: Time)] = []
  for round in 0..<rounds {
    // The order alternates, so that no contender is always measured after the other.
    if round.isMultiple(of: 2) {
      let first = try await time(constant, requests, wide: wide)
      times.append((first, try await time(deck, requests, wide: wide)))
    } else {
      let first = try await time(deck, requests, wide: wide)
      times.append((try await time(constant, requests, wide: wide), first))
    }
  }
  for (name, quantity) in [("time", \Time.passed), ("processor time", \Time.worked)] {
    let ratios = times.map { $0.deck[keyPath: quantity] / $0.constant[keyPath: quantity] }
    let constant = median(times.map { $0.constant[keyPath: quantity] }) / Double(requests)
    let deck = median(times.map { $0.deck[keyPath: quantity] }) / Double(requests)
    print(
      "\(wide) at a time, \(name): constant \(fixed(constant)) µs, deck \(fixed(deck)) µs, ratio "
        + "\(fixed(median(ratios))) (\(fixed(ratios.min() ?? 0))–\(fixed(ratios.max() ?? 0)))")
  }
}

let before = Usage.resident
_ = try await time(deck, more, wide: 8)
print("\(more) more requests: \((Usage.resident - before) / 1_024) KB more, \(Usage.resident / 1_048_576) MB in all")
