import MockServerConsole

/// The options for `/__mock/`.
extension Manual {
  static let noAdmin = Option("no-admin", help: "Disable /__mock/.")
  static let adminToken = Option(
    "admin-token", .text, "TOKEN",
    help: "Require this token (Authorization: Bearer TOKEN) for /__mock/; mandatory there if --host is not a loopback "
      + "address. Prefer MOCKSERVER_ADMIN_TOKEN: a command line is visible to every user of the machine.")
  static let journalBodies = Option(
    "journal-bodies", .size(0...(8 << 20)), "SIZE", standard: "64K",
    help: "How much of each request body /__mock/journal keeps; all bodies together are limited to 8M.")
  static let journalSecrets = Option(
    "journal-secrets",
    help: "Show requests in /__mock/journal unmasked, with passwords and tokens; only on a loopback address.")

  static let readOnly = Option("read-only", help: "Never write to files, and refuse requests to /__mock/ that would.")

  static let acceptedOrigin = Option(
    "origin", .text, "URL", repeats: true,
    help:
      "An origin that may be contacted to accept a miss, in addition to the origins of the cassettes. May be repeated.")
  static let controlling = [noAdmin, adminToken, journalBodies, journalSecrets, readOnly, acceptedOrigin]
}
