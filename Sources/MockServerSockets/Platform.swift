// C library names of system calls occur only in this file, its extensions and SocketAddress.
internal import CassetteSystem

#if os(Linux)
  internal import CMockServerEpoll
#endif

/// The result of reading from or writing to a socket.
package enum IOResult: Equatable, Sendable {
  /// The number of bytes transferred, which is never zero.
  case bytes(Int)
  /// No bytes can be transferred until the socket is ready.
  case wouldBlock
  /// The peer has closed its side of the connection.
  case ended
  /// The connection has failed with this `errno` value.
  case failed(Int32)
}

/// The system calls on descriptors, which are repeated if a signal interrupts them.
package enum Platform {
  #if canImport(Darwin)
    static let streamType = SOCK_STREAM
    private static let noSignal: Int32 = 0
  #elseif canImport(Musl)
    static let streamType = SOCK_STREAM
    private static let unsharedType = SOCK_NONBLOCK | SOCK_CLOEXEC
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #else
    static let streamType = Int32(SOCK_STREAM.rawValue)
    private static let unsharedType = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif

  /// Returns the time of the monotonic clock in nanoseconds.
  package static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Returns the time of the wall clock in nanoseconds since 1970.
  package static func wallNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  /// Returns the number of processors online, at least one.
  package static func processors() -> Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Raises the descriptor limit of the process to the maximum that the system allows, and returns the new limit.
  @discardableResult
  package static func raiseDescriptorLimit() -> Int {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return 256 }
    let soft = limit.rlim_cur
    limit.rlim_cur = limit.rlim_max
    #if canImport(Darwin)
      // Darwin refuses an infinite limit; `OPEN_MAX` is the largest value that it accepts.
      limit.rlim_cur = max(soft, min(limit.rlim_max, rlim_t(OPEN_MAX)))
    #endif
    if setrlimit(resource, &limit) != 0 { return Int(clamping: soft) }
    return Int(clamping: limit.rlim_cur)
  }

  /// Ignores SIGPIPE, so that writing to a closed connection returns an error and does not end the process.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Returns the system's description of an error number.
  package static func describe(_ error: Int32) -> String { String(cString: strerror(error)) }

  static var lastError: Int32 { errno }

  /// Yields the processor to other threads that are ready to run.
  static func yield() { sched_yield() }

  static func isAddressInUse(_ error: Int32) -> Bool { error == EADDRINUSE }

  static func isPermission(_ error: Int32) -> Bool { error == EACCES || error == EPERM }

  static func isDescriptorShortage(_ error: Int32) -> Bool { error == EMFILE || error == ENFILE || error == ENOBUFS }

  // MARK: Bytes

  /// Reads available bytes, at most `buffer.count`.
  package static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .ended }
      let error = errno
      if error == EINTR { continue }
      return error == EAGAIN || error == EWOULDBLOCK ? .wouldBlock : .failed(error)
    }
  }

  /// Writes as many bytes of `bytes` as the socket accepts.
  package static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> IOResult {
    while true {
      let count = systemSend(descriptor, bytes.baseAddress, bytes.count, noSignal)
      if let result = outcome(ofWriting: count) { return result }
    }
  }

  /// Writes as many bytes of a head and a body as the socket accepts, in one system call.
  package static func send(
    _ descriptor: Int32, _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
  ) -> IOResult {
    while true {
      let count = withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { pieces in
        pieces[0] = iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count)
        pieces[1] = iovec(iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count)
        var message = msghdr()
        message.msg_iov = pieces.baseAddress
        message.msg_iovlen = 2
        return sendmsg(descriptor, &message, noSignal)
      }
      if let result = outcome(ofWriting: count) { return result }
    }
  }

  private static func outcome(ofWriting count: Int) -> IOResult? {
    if count > 0 { return .bytes(count) }
    let error = errno
    if count < 0, error == EINTR { return nil }
    if count == 0 || error == EAGAIN || error == EWOULDBLOCK { return .wouldBlock }
    return .failed(error)
  }

  /// Returns the name of this machine.
  static func machineName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    return gethostname(&name, name.count - 1) == 0 ? text(name) : "localhost"
  }

  /// Decodes a zero-terminated string that a system call returned.
  static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Files and descriptors

  /// Returns the reason why a file cannot be read or is rejected for its type or size; nil if it can be read.
  static func reasonNotToRead(_ path: String, mostBytes: Int) -> String? {
    var facts = stat()
    guard access(path, R_OK) == 0, stat(path, &facts) == 0 else { return describe(lastError) }
    return ReadableFile.problem(facts, path, mostBytes: mostBytes).map { "it \($0)" }
  }

  /// Closes a descriptor.
  package static func close(_ descriptor: Int32) { systemClose(descriptor) }

  /// Closes the sending side of a connection, so that the peer reads the end of the stream.
  package static func endWriting(_ descriptor: Int32) {
    _ = shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Makes a socket that no event loop watches stop accepting connections.
  ///
  /// Its descriptor stays open.
  static func stopListening(_ descriptor: Int32) {
    #if canImport(Darwin)
      // A socket stops listening only when it is closed, so an unused socket replaces it under the same descriptor.
      let idle = socket(AF_INET, SOCK_STREAM, 0)
      guard idle >= 0 else { return }
      dup2(idle, descriptor)
      systemClose(idle)
    #else
      _ = shutdown(descriptor, Int32(SHUT_RDWR))
    #endif
  }

  /// Makes the next `close` reset the connection (RST) instead of closing it in order (FIN).
  package static func resetOnClose(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  package static func setFlag(_ descriptor: Int32, level: Int32, option: Int32, to value: Int32 = 1) {
    var value = value
    _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  #if canImport(Darwin)
    private static func setNonBlocking(_ descriptor: Int32) {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  #endif

  /// Creates a non-blocking stream socket that child processes do not inherit; -1 on failure, with `lastError` set.
  package static func streamSocket(for address: SocketAddress) -> Int32 {
    let family = address.isIPv6 ? AF_INET6 : AF_INET
    #if canImport(Darwin)
      let descriptor = socket(family, streamType, 0)
      guard descriptor >= 0 else { return -1 }
      setNonBlocking(descriptor)
      setFlag(descriptor, level: SOL_SOCKET, option: SO_NOSIGPIPE)
      return descriptor
    #else
      // The flags are set on creation. A child process started between two calls would inherit the descriptor.
      return socket(family, streamType | unsharedType, 0)
    #endif
  }

  /// Disables Nagle's algorithm, which would delay responses by 40 ms.
  ///
  /// Responses are sent in a single write.
  package static func setNoDelay(_ descriptor: Int32) {
    setFlag(descriptor, level: Int32(IPPROTO_TCP), option: TCP_NODELAY)
  }

  static func prepareToListen(_ descriptor: Int32, isIPv6: Bool) {
    setFlag(descriptor, level: SOL_SOCKET, option: SO_REUSEADDR)
    // On Linux accepted sockets inherit these options, which saves a system call per connection.
    setNoDelay(descriptor)
    if isIPv6 { setFlag(descriptor, level: Int32(IPPROTO_IPV6), option: IPV6_V6ONLY) }
  }

  static func bind(_ descriptor: Int32, to address: SocketAddress) -> Int32 {
    address.withSystemAddress { systemBind(descriptor, $0, $1) }
  }

  static func listen(_ descriptor: Int32, backlog: Int32) -> Int32 { systemListen(descriptor, backlog) }

  /// Accepts a waiting connection and returns its descriptor; nil on failure, with `lastError` set.
  static func accept(_ listener: Int32) -> Int32? {
    while true {
      #if canImport(Darwin)
        let descriptor = systemAccept(listener)
        if descriptor >= 0 {
          setNonBlocking(descriptor)
          setNoDelay(descriptor)
          setFlag(descriptor, level: SOL_SOCKET, option: SO_NOSIGPIPE)
          return descriptor
        }
      #else
        let descriptor = cepoll_accept(listener)
        if descriptor >= 0 { return descriptor }
      #endif
      if errno != EINTR && errno != ECONNABORTED { return nil }
    }
  }

  static func localAddress(of descriptor: Int32) -> SocketAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        getsockname(descriptor, address, &length) == 0 ? SocketAddress(address) : nil
      }
    }
  }
}
