import MockServerConsole

/// The options for TLS between clients and the server.
extension Manual {
  static let servingTLS = Command.Section(
    title: "TLS for clients", options: [tls, tlsFolder, tlsCertificate, tlsKey, tlsClientAuthorities])

  static let trusting =
    "--tls self-signed makes an authority of this machine, keeps it, and prints its file, ca.pem. To trust it: "
    + "curl --cacert ca.pem; NODE_EXTRA_CA_CERTS=ca.pem for Node; REQUESTS_CA_BUNDLE=ca.pem for Python's requests, "
    + "SSL_CERT_FILE=ca.pem for the rest of Python, Go and Ruby; on macOS: security add-trusted-cert -r trustRoot -k "
    + "~/Library/Keychains/login.keychain-db ca.pem; in an iOS simulator: xcrun simctl keychain booted "
    + "add-root-cert ca.pem. The pin that is printed, the SHA-256 of the certificate's key, stays the same. A "
    + "client that is led here under another name, by a hosts file or curl --connect-to, finds a certificate of that "
    + "name. Give authority.pem, beside ca.pem, to nobody."

  static let tls = Option(
    "tls", .choice(["self-signed"]), help: "Speak TLS, with a certificate for localhost and --host made here.")
  static let tlsFolder = Option(
    "tls-dir", .folder, "DIR", standard: "~/.local/state/mockserver/tls",
    help: "Where the authority and the certificates made here are kept.")
  static let tlsCertificate = Option(
    "tls-cert", .path, "FILE", help: "Speak TLS with this certificate (PEM), its chain behind it.")
  static let tlsKey = Option("tls-key", .path, "FILE", help: "The private key (PEM) of --tls-cert.")
  static let tlsClientAuthorities = Option(
    "tls-client-ca", .path, "FILE",
    help: "Let in only clients with a certificate of one of these authorities (PEM); with --tls self-signed, the word "
      + "self-signed makes such a certificate, client.pem, beside ca.pem.")
}
