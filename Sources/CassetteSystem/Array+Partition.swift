extension Array {
  /// Finds the first index at which a condition holds that holds for all after it and none before; the count for none.
  @inlinable @inline(__always)
  package func partitioningIndex(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
