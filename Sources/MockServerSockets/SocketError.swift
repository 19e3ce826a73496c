/// An error in creating, binding or connecting a socket.
public enum SocketError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text is not an address of this machine.
  case badAddress(String)
  /// Another process is listening on the address.
  case addressInUse(SocketAddress)
  /// The system does not allow this process to listen on the address.
  case notPermitted(SocketAddress)
  /// The lookup of a host name failed.
  ///
  /// The second value is the system's description of the error.
  case unknownHost(String, String)
  /// A system call failed.
  ///
  /// `code` is the `errno` value.
  case failed(call: String, code: Int32)

  /// A description of the error in one sentence.
  public var description: String {
    switch self {
    case .badAddress(let text): "\"\(text)\" is not an IPv4 or IPv6 address of this machine"
    case .addressInUse(let address): "port \(address.port) on \(address.host) is in use"
    case .notPermitted(let address): "the system does not allow listening on \(address)"
    case .unknownHost(let name, let words): "the host name \(name) cannot be resolved: \(words)"
    case .failed(let call, let code): "\(call) failed: \(Platform.describe(code))"
    }
  }
}
