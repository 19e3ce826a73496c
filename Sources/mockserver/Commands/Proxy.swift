internal import CassetteSystem
import Cassettes
import MockServerConsole
import MockServerKit
import MockServerSockets
internal import MockServerUpstream

/// The command `proxy`, a forward proxy that records requests to any server in one cassette, or plays the cassette.
enum Proxy {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let configuration = try configuration(of: invocation, environment)
    return configuration.recording == nil ? try Serve.run(configuration) : try Record.run(configuration)
  }

  /// Creates the configuration from the options, without reading files or contacting servers.
  static func configuration(
    of invocation: Invocation, _ environment: (String) -> String?
  ) throws(CommandError) -> MockServer.Configuration {
    let command = invocation.command
    guard let cassette = invocation.text(Manual.cassette) else {
      throw .usage("proxy needs --cassette FILE", of: command, hint: "For instance: \(command.examples[0].line)")
    }
    try Record.requireFile(cassette, named: "all.json", of: command)
    let isOffline = invocation.has(Manual.offline)
    guard !isOffline || !invocation.has(Manual.missing) else {
      throw .usage("--offline and --missing cannot be combined", of: command)
    }
    var settings = try Record.settings(invocation, upstream: nil, cassette)
    for text in invocation.texts(Manual.allowedOrigin) {
      settings.named.append(try Record.origin(text, of: Manual.allowedOrigin, command))
    }
    var configuration = Record.configuration(of: invocation)
    var proxy = try self.proxy(invocation, environment)
    proxy.origins = settings.named
    configuration.proxy = proxy
    if isOffline {
      guard Folder.resolvedKind(of: cassette) == .file else {
        throw CommandError(
          .noInput, "no such file: \(cassette)",
          hint: "Record it first: mockserver proxy --cassette \(ShellWord.path(cassette))")
      }
      configuration.cassettes = [cassette]
    } else {
      settings.secure = try secure(invocation, lacking: proxy.authority == nil ? proxy.lack : nil)
      configuration.recording = settings
    }
    return configuration
  }

  /// Returns the TLS settings for origins.
  ///
  /// If TLS is not available, requests to `http` origins still work.
  private static func secure(
    _ invocation: Invocation, lacking lack: String?
  ) throws(CommandError) -> @Sendable (Int32, String) throws(SecurityError) -> any SecureChannel {
    do throws(CommandError) {
      return try Record.secure(invocation)
    } catch {
      guard let lack, error.code == .unavailable else { throw error }
      return { _, _ throws(SecurityError) in throw SecurityError(lack) }
    }
  }

  /// Returns the proxy settings with the local authority for `https`.
  ///
  /// Without an authority, the proxy serves only `http`.
  private static func proxy(
    _ invocation: Invocation, _ environment: (String) -> String?
  ) throws(CommandError) -> ProxySettings {
    var proxy = ProxySettings()
    do throws(SecurityError) {
      let folder =
        if let named = invocation.text(Manual.tlsFolder) { named } else { try ServingTLS.standardFolder(environment) }
      let (authority, trusted) = try LocalAuthority.kept(in: folder)
      proxy.authority = authority
      proxy.trusted = trusted
    } catch {
      proxy.lack = error.description
    }
    return proxy
  }

  /// Returns the commands with which a client uses the proxy.
  static func lines(_ proxy: ProxySettings, _ url: String) -> [String] {
    guard let trusted = proxy.trusted else {
      return [
        "to use the proxy: curl --proxy \(url) http://…", "https is not available through this proxy: \(proxy.lack)",
      ]
    }
    return [
      "to use the proxy: curl --proxy \(url) --cacert \(ShellWord.path(trusted)) https://…",
      // curl and wget read `http_proxy`, but not `HTTP_PROXY`.
      "or: export http_proxy=\(url) HTTP_PROXY=\(url) https_proxy=\(url) HTTPS_PROXY=\(url) "
        + "SSL_CERT_FILE=\(ShellWord.path(trusted)) REQUESTS_CA_BUNDLE=\(ShellWord.path(trusted)) (other clients: mockserver help serve)",
    ]
  }
}
