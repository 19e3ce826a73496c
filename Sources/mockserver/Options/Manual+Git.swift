import MockServerConsole

/// The commands that compare and merge cassettes.
extension Manual {
  static let diffing = Command(
    name: .diff,
    summary: "List added, removed and changed interactions.",
    operand: Command.Operand(placeholder: "OLD NEW", kind: .path, count: 2...2),
    notes: [
      "OLD and NEW are cassettes, or folders of cassettes. Layout and times are not compared. A changed interaction is "
        + "followed by each change with its place, and by its new position among recordings of the same request. Exits "
        + "1 if there is a difference."
    ],
    examples: [
      "mockserver diff cassettes recorded": "compare two folders",
      "git show main:a.json | mockserver diff /dev/stdin a.json": "show the changes of this branch",
    ])

  static let gitting = Command(
    name: .git,
    summary: "Set up git to show and merge cassettes by interaction.",
    operand: Command.Operand(placeholder: "install|resolve|textconv|merge ARG", kind: .path, count: 1...Int.max),
    sections: [Command.Section(title: "Options of resolve", options: [ours, theirs, both])],
    notes: [
      "install [FOLDER...] adds lines to .gitattributes and sets merge.cassette and diff.cassette in the configuration "
        + "of this clone; running it again changes nothing. The default FOLDERs are all folders named cassettes or "
        + "Cassettes. Run it once in every clone.",
      "merge BASE OURS THEIRS [PATH] is the command that git runs. Interactions that two branches recorded are "
        + "combined; rules are merged separately from the exchange. If both branches changed an interaction, both "
        + "versions are kept, and the id of the second ends in \"(conflict: theirs)\". The file still loads, the exit "
        + "code is 1, and mockserver check reports the conflict until it is resolved. Files other than cassettes are "
        + "merged line by line.",
      "resolve --ours|--theirs|--both FILE... resolves all conflicts of a file. textconv FILE prints the form that git "
        + "diff shows: a heading for each interaction, bodies with real line breaks, no times.",
    ],
    examples: [
      "mockserver git install": "run once per clone",
      "mockserver git resolve --theirs cassettes/github.json": "after a conflict",
    ])

  static let ours = Option("ours", help: "Keep this branch's version.")
  static let theirs = Option("theirs", help: "Keep the other branch's version.")
  static let both = Option("both", help: "Keep both versions, one after the other.")
}
