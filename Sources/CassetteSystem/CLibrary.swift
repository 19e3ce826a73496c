// The one place that says which C library there is; whoever imports this target has it.
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

// Calls under names that no method of ours has, so that none has to say which library it means.

/// Reads from a descriptor (`read`).
package func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

/// Writes to a descriptor (`write`).
package func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// Writes all of the bytes to a descriptor; false when it takes no more, and `errno` says why.
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

/// Reads so many bytes from a descriptor, from an offset or from where reading is; fewer at the end.
///
/// The room for them is not zeroed first: at 200 MB that is a tenth of a second.
///
/// - Returns: The bytes; nil when reading failed, and `errno` says why.
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

/// Sends on a socket (`send`).
package func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
  send(descriptor, bytes, count, flags)
}

/// Binds a socket (`bind`).
package func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  bind(descriptor, address, length)
}

/// Listens on a socket (`listen`).
package func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

/// Connects a socket (`connect`).
package func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  connect(descriptor, address, length)
}

/// Takes a waiting connection (`accept`), whoever it is from.
package func systemAccept(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }
