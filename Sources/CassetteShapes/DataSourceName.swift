package import CassetteSystem

/// Names of databases with a password in them that are no URLs.
package enum DataSourceName {
  /// Tells whether what stands before an at sign is the password of Oracle's `scott/tiger@//host:1521/service`.
  package static func isOracle(_ text: ByteSearch, _ password: Range<Int>) -> Bool {
    let slash = password.lowerBound - 1
    guard text.at(slash) == UInt8(ascii: "/") else { return false }
    let user = text.start(of: userBytes, before: slash)
    guard user < slash, text.at(user - 1) != UInt8(ascii: "/"), text.at(user - 1) != UInt8(ascii: ".")
    else { return false }
    let host = password.upperBound + 1
    if text.at(host) == UInt8(ascii: "/"), text.at(host + 1) == UInt8(ascii: "/") { return true }
    if clients.contains(where: { text.has($0, at: user - $0.count) }) { return true }
    let port = text.end(of: hostBytes, from: host)
    guard port > host, text.at(port) == UInt8(ascii: ":") else { return false }
    let end = text.end(of: .digit, from: port + 1)
    return (3...6).contains(end - port) && !ByteSet.word.contains(text.at(end))
  }

  private static let clients = ["oracle:thin:", "sqlplus ", "connect ", "CONNECT "].map { Array($0.utf8) }
  private static let userBytes = ByteSet.word.adding("_$#")
  private static let hostBytes = ByteSet.word.adding(".-_")
}
