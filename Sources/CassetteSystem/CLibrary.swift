// The only import of the platform's C library, which other targets get by importing this target.
#if canImport(Darwin)
  @_exported public import Darwin
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Glibc
#endif

#if _pointerBitWidth(_32)
  #error("these libraries need an Int of 64 bits: 32-bit platforms, such as watchOS devices, are not supported")
#endif

// System calls under unique names, because methods with the same names would otherwise shadow them.

/// Reads from a descriptor (`read`).
package func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

/// Writes all bytes to a descriptor; returns false and sets `errno` if that fails.
package func systemWriteAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
  bytes.withUnsafeBytes { buffer in
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// Reads a number of bytes from a descriptor, or fewer at the end of the file.
///
/// The buffer is not zeroed first, which would take a tenth of a second for 200 MB.
///
/// - `count`: The number of bytes.
/// - `offset`: The offset in the file. Default: the current position.
/// - `prepare`: A closure that receives the buffer before bytes are read into it. Default: none.
package func systemReadAll(
  _ descriptor: Int32, _ count: Int, at offset: Int? = nil,
  preparing prepare: (UnsafeMutableRawBufferPointer) -> Void = { _ in }
) -> [UInt8]? {
  var code: Int32 = 0
  let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
    let room = UnsafeMutableRawBufferPointer(buffer)
    prepare(room)
    while filled < count {
      let start = room.baseAddress.map { $0 + filled }
      let read =
        offset.map { pread(descriptor, start, count - filled, off_t($0 + filled)) }
        ?? systemRead(descriptor, start, count - filled)
      if read < 0, errno == EINTR { continue }
      if read < 0 { code = errno }
      if read <= 0 { return }
      filled += read
    }
  }
  guard code == 0 else {
    errno = code
    return nil
  }
  return bytes
}

/// Closes a descriptor (`close`).
@discardableResult
package func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
