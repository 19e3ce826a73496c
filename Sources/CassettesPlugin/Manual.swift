/// The help text.
enum Manual {
  static let text = """
    List, check and record the cassettes of a package's tests.

    swift package cassettes list [--json] [PATH...]        list the recordings that would be played
    swift package cassettes check [PATH...]                print problems as FILE:LINE:COLUMN: error|warning: MESSAGE
    swift package cassettes record [--filter TEST]... [--missing] [--prune]
                                                           run tests on the network and write their cassettes

    Without a PATH, list and check read every folder Cassettes below the test targets, and cassettes/ of the package.

    record builds the package, runs its tests with CASSETTE_MODE=record, and prints the changes. A request that is sent
    again replaces its recording if the response changed; other recordings stay, and are listed.
      --filter TEST  Only the tests that swift test --filter TEST runs. May be repeated.
      --prune        Remove recordings whose requests were not sent, if every test of the cassette runs and passes.
      --missing      Send only requests without a recording to the network (CASSETTE_MODE=record-missing).
    If CI is set, tests refuse to record unless CASSETTE_RECORD_IN_CI=true is set as well.

    Examples:
      swift package cassettes check                        before a commit, and in CI
      swift package cassettes record --filter ProfileTests
      swift package cassettes record --missing --filter "the profile decodes"
      swift package --disable-sandbox cassettes record     on macOS, whose sandbox denies tests the network

    Exits 1 if a cassette is invalid, a test fails, a cassette was not written, or the command line is invalid.
    """
}
