internal import CassetteSystem
import Cassettes
import MockServerConsole
import MockServerKit
import MockServerSockets

/// The options for TLS between clients and the server.
enum ServingTLS {
  private static let selfSigned = "self-signed"

  /// Reads the TLS options; nil for plain HTTP.
  static func read(
    _ invocation: Invocation, host: String, _ environment: (String) -> String?
  ) throws(CommandError) -> ServingSecurity? {
    let command = invocation.command
    let (certificate, key) = (invocation.text(Manual.tlsCertificate), invocation.text(Manual.tlsKey))
    let authorities = invocation.text(Manual.tlsClientAuthorities)
    let isSelfSigned = invocation.has(Manual.tls)
    guard (certificate == nil) == (key == nil) else {
      throw .usage(
        "--tls-cert and --tls-key must be given together", of: command,
        hint: "For instance: --tls-cert cert.pem --tls-key key.pem"
      )
    }
    guard !isSelfSigned || certificate == nil else {
      throw .usage("--tls self-signed and --tls-cert cannot be combined", of: command)
    }
    guard isSelfSigned || !invocation.has(Manual.tlsFolder) else {
      throw .usage("--tls-dir requires --tls self-signed", of: command)
    }
    guard isSelfSigned || certificate != nil || authorities == nil else {
      throw .usage(
        "--tls-client-ca requires a server certificate", of: command,
        hint: "To generate one: --tls self-signed --tls-client-ca \(authorities ?? "FILE")")
    }
    let asksOwn = isSelfSigned && authorities == selfSigned
    for file in [certificate, key, asksOwn ? nil : authorities] {
      if let file, Folder.resolvedKind(of: file) != .file { throw CommandError(.noInput, "no such file: \(file)") }
    }
    do throws(SecurityError) {
      if let certificate, let key {
        let identity = TLSContext.Identity(certificate: certificate, key: key)
        return try ServingSecurity(identity, clientAuthorities: authorities)
      }
      guard isSelfSigned else { return nil }
      let folder = if let named = invocation.text(Manual.tlsFolder) { named } else { try standardFolder(environment) }
      return try ServingSecurity(
        selfSignedFor: host, keptIn: folder, clients: asksOwn ? .own : authorities.map { .known($0) } ?? .all)
    } catch {
      throw CommandError(.unavailable, Printable.escaped(error.description))
    }
  }

  /// Returns the folder for persistent data of this program (XDG Base Directory Specification).
  static func standardFolder(_ environment: (String) -> String?) throws(SecurityError) -> String {
    if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return Folder.join(state, "mockserver/tls") }
    guard let home = environment("HOME"), home.hasPrefix("/") else {
      throw SecurityError("there is no home folder for the certificate; name a folder: --tls-dir DIR")
    }
    return Folder.join(home, ".local/state/mockserver/tls")
  }

  /// Prints how to make clients trust the server.
  static func explain(_ configuration: MockServer.Configuration, _ url: String) {
    if let proxy = configuration.proxy {
      for line in Proxy.lines(proxy, url) { Console.error.write("mockserver: \(Printable.escaped(line))\n") }
    }
    guard let security = configuration.security else { return }
    for line in lines(security.trusted, client: security.client, pin: security.pin, url) {
      Console.error.write("mockserver: \(Printable.escaped(line))\n")
    }
  }

  static func lines(_ trusted: String?, client: String?, pin: String?, _ url: String) -> [String] {
    var lines: [String] = []
    if let trusted {
      let identity = client.map { "--cert \(ShellWord.path($0)) " } ?? ""
      lines.append(
        "to trust the certificate: curl --cacert \(ShellWord.path(trusted)) \(identity)\(url)/ (other clients: mockserver help serve)"
      )
    }
    if let pin { lines.append("to pin its key: \(pin)") }
    return lines
  }
}
