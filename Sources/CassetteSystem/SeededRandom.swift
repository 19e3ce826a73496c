/// A deterministic random number generator, with the same results on every machine and in every run.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator from a seed and additional data, such as a session or a request.
  package init(seed: UInt64, _ parts: [UInt8]...) {
    // FNV-1a, because the hashes of the standard library differ between processes.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
    for part in parts {
      for byte in part { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
      // The length is included, so that different splits of the same data result in different numbers.
      hash = (hash ^ UInt64(truncatingIfNeeded: part.count) ^ 0xff) &* 0x0000_0100_0000_01b3
    }
    state = hash
    _ = next()
  }

  /// Returns the next 64 bits (SplitMix64).
  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// Returns a number from 0 up to but excluding 1.
  package mutating func fraction() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

  /// Returns an integer from 0 up to but excluding a bound, which must be positive.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  /// Returns a number with a log-normal distribution.
  package mutating func logNormal(median: Double, sigma: Double) -> Double {
    // The Box–Muller transform. The argument of the logarithm is never zero.
    let radius = (-2 * log(1 - fraction())).squareRoot()
    return median * exp(sigma * radius * cos(2 * .pi * fraction()))
  }
}
