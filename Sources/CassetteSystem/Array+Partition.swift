extension Array {
  /// Returns the first index whose element meets a condition, by binary search, or the count if no element does.
  ///
  /// All elements after it must meet the condition, and no element before it.
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
