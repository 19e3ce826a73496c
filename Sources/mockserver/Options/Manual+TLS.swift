import MockServerConsole

/// The options for TLS between clients and the server.
extension Manual {
  static let servingTLS = Command.Section(
    title: "TLS for clients", options: [tls, tlsFolder, tlsCertificate, tlsKey, tlsClientAuthorities])

  static let trusting =
    "--tls self-signed creates a certificate authority for this machine, keeps it, and prints its file, ca.pem. To "
    + "trust it: curl --cacert ca.pem; NODE_EXTRA_CA_CERTS=ca.pem for Node; REQUESTS_CA_BUNDLE=ca.pem for Python's "
    + "requests, SSL_CERT_FILE=ca.pem for the rest of Python, Go and Ruby; on macOS: security add-trusted-cert -r "
    + "trustRoot -k ~/Library/Keychains/login.keychain-db ca.pem; in an iOS simulator: xcrun simctl keychain booted "
    + "add-root-cert ca.pem. The printed pin, the SHA-256 of the certificate's key, stays the same. A client that "
    + "reaches this server under another name, through a hosts file or curl --connect-to, gets a certificate for that "
    + "name. Never share authority.pem, which is in the same folder as ca.pem."

  static let tls = Option(
    "tls", .choice(["self-signed"]), help: "Serve TLS with a generated certificate for localhost and --host.")
  static let tlsFolder = Option(
    "tls-dir", .folder, "DIR", standard: "~/.local/state/mockserver/tls",
    help: "The folder for the generated certificate authority and certificates.")
  static let tlsCertificate = Option(
    "tls-cert", .path, "FILE", help: "Serve TLS with this certificate (PEM), followed by its chain.")
  static let tlsKey = Option("tls-key", .path, "FILE", help: "The private key (PEM) of --tls-cert.")
  static let tlsClientAuthorities = Option(
    "tls-client-ca", .path, "FILE",
    help: "Accept only clients with a certificate issued by one of these authorities (PEM). With --tls self-signed, "
      + "pass self-signed to generate such a certificate, client.pem, next to ca.pem.")
}
