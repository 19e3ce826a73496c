/// The session that a test's cassettes and stubs answer.
public enum CassettePlayedSession: Sendable {
  /// `URLSession.cassette`, of each test alone.
  case own
  /// `URLSession.shared` too, for code that cannot be given a session.
  ///
  /// All tests use the same session and still hear their own cassettes only: whose request it is, is read from a
  /// task-local where the task is resumed. What that costs:
  ///
  /// - A request from a detached task or a dispatch queue cannot be told apart. It fails with an error that names its
  ///   URL; so does one that comes after its test's end.
  /// - Once any test asks for it, *nothing* on `URLSession.shared` reaches the network until the process ends, also where
  ///   a mock server is asked: give such a client a session of its own.
  /// - The session's cache is turned off. Cookies go to a jar of the test; those already in `HTTPCookieStorage.shared` are
  ///   sent, none is added to it.
  /// - On Apple platforms task-locals do not reach a session's protocols: one test at a time, in a suite that is
  ///   `.serialized`. When two answer at once their requests fail and say so.
  case shared
}
