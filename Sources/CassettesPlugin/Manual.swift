/// The help text.
enum Manual {
  static let text = """
    List, check and record the cassettes of a package's tests.

    swift package cassettes list [--json] [PATH...]        what would be played
    swift package cassettes check [PATH...]                every problem as FILE:LINE:COLUMN: error|warning: MESSAGE
    swift package cassettes record [--filter TEST]... [--missing] [--prune]
                                                           run tests on the network and write their cassettes

    Without a PATH, list and check read every folder Cassettes below the test targets, and cassettes/ of the package.

    record builds the package, runs its tests with CASSETTE_MODE=record, and prints what changed. What is asked again is
    recorded anew, except where the same was answered; what is not asked stays, and is listed.
      --filter TEST  Only the tests that swift test --filter TEST runs. May be repeated.
      --prune        Remove what is not asked, if every test that uses the cassette runs and passes.
      --missing      Ask the network only for what no recording answers, and keep the rest (record-missing).
    Where CI is set tests refuse to record unless CASSETTE_RECORD_IN_CI=true is set as well.

    Examples:
      swift package cassettes check                        before a commit, and in CI
      swift package cassettes record --filter ProfileTests
      swift package cassettes record --missing --filter "the profile decodes"
      swift package --disable-sandbox cassettes record     on macOS, whose sandbox shuts tests off from the network

    Exits 1 when a cassette is wrong, a test fails, a cassette was not written, or the command line is.
    """
}
