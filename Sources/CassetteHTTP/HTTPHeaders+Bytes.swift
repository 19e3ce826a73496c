extension ByteText {
  /// A field whose name and value stand in a line.
  static func field(_ bytes: Span<UInt8>, name: Range<Int>, value: Range<Int>) -> HTTPHeaders.Field {
    let text = string(bytes, value)
    return HTTPHeaders.Field(
      name: string(bytes, name), value: text, isLatin1: isObsText(text, of: value.count))
  }
}
