internal import CassetteSystem

// System calls under unique names, because methods with the same names would otherwise shadow them.

/// Sends on a socket (`send`).
func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
  send(descriptor, bytes, count, flags)
}

/// Binds a socket (`bind`).
func systemBind(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  bind(descriptor, address, length)
}

/// Listens on a socket (`listen`).
func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 { listen(descriptor, backlog) }

/// Connects a socket (`connect`).
func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  connect(descriptor, address, length)
}

/// Accepts a connection from any address (`accept`).
func systemAccept(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }
