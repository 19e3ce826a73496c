extension String {
  /// Creates a text of bytes, nil if they are not UTF-8: `String(validating:as:)`, also on systems older than it.
  package init?(validUTF8 bytes: some Collection<UInt8>) {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      self.init(validating: bytes, as: UTF8.self)
    } else {
      self.init(comparing: bytes)
    }
  }

  /// Creates the same by looking whether the decoder had to mend anything.
  init?(comparing bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
