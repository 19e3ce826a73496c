/// The session that is answered by a test's cassettes and stubs.
public enum CassettePlayedSession: Sendable {
  /// Only `URLSession.cassette`, which is separate for each test.
  case own
  /// Also `URLSession.shared`, for code that does not accept a session.
  ///
  /// All tests use the same session, but each request is answered by the cassettes of the test that sent it, which is
  /// read from a task-local value when the task is resumed. The limitations are:
  ///
  /// - The test of a request from a detached task or a dispatch queue is unknown. Such a request fails with an error
  ///   that contains its URL; so does a request after the end of its test.
  /// - After the first test with this option, *no* request on `URLSession.shared` reaches the network until the process
  ///   ends, including requests to a mock server: give such a client a separate session.
  /// - The session's cache is disabled. Cookies are stored in a separate storage per test; cookies that are already in
  ///   `HTTPCookieStorage.shared` are sent, and none are added to it.
  /// - On Apple platforms, task-local values do not reach a session's protocols: run one test at a time, in a suite
  ///   that is `.serialized`. If two tests overlap, their requests fail with an error that explains this.
  case shared
}
