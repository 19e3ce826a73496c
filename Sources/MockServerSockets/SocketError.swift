/// The reason why a socket could not be had.
public enum SocketError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text is no address of this machine.
  case badAddress(String)
  /// Another process listens there already.
  case addressInUse(SocketAddress)
  /// The system does not let this process listen there.
  case notPermitted(SocketAddress)
  /// A name that no address is known for; the words are the system's.
  case unknownHost(String, String)
  /// A system call failed; `code` is `errno`.
  case failed(call: String, code: Int32)

  /// A description of the error, in one sentence.
  public var description: String {
    switch self {
    case .badAddress(let text): "\"\(text)\" is not an IPv4 or IPv6 address of this machine"
    case .addressInUse(let address): "port \(address.port) is taken on \(address.host)"
    case .notPermitted(let address): "the system does not allow listening on \(address)"
    case .unknownHost(let name, let words): "no address is known for \(name): \(words)"
    case .failed(let call, let code): "\(call) failed: \(Platform.describe(code))"
    }
  }
}
