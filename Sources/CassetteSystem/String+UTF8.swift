extension String {
  /// Creates a string from bytes; fails if they are not UTF-8.
  ///
  /// A replacement for `String(validating:as:)`, for older systems.
  package init?(validUTF8 bytes: some Collection<UInt8>) {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      self.init(validating: bytes, as: UTF8.self)
    } else {
      self.init(comparing: bytes)
    }
  }

  /// Creates a string from bytes by decoding with replacement, and fails if the result differs.
  init?(comparing bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
