import MockServerConsole

/// The options for `/__mock/`.
extension Manual {
  static let noAdmin = Option("no-admin", help: "Switch /__mock/ off.")
  static let adminToken = Option(
    "admin-token", .text, "TOKEN",
    help: "Ask for this token (Authorization: Bearer TOKEN) on /__mock/; needed there when --host is no loopback "
      + "address. Better set MOCKSERVER_ADMIN_TOKEN: a command line is visible to every user of the machine.")
  static let journalBodies = Option(
    "journal-bodies", .size(0...(8 << 20)), "SIZE", standard: "64K",
    help: "How much of a request's body /__mock/journal keeps; all requests together have 8M.")
  static let journalSecrets = Option(
    "journal-secrets",
    help: "Show in /__mock/journal what was really sent, passwords and tokens too; only on a loopback address.")

  static let readOnly = Option("read-only", help: "Write to no file, whatever /__mock/ is asked.")

  static let acceptedOrigin = Option(
    "origin", .text, "URL", repeats: true,
    help: "An origin that accepting a miss may ask, beside those of the cassettes. May be repeated.")
  static let controlling = [noAdmin, adminToken, journalBodies, journalSecrets, readOnly, acceptedOrigin]
}
