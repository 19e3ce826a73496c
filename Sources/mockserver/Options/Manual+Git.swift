import MockServerConsole

/// The commands that compare and merge cassettes.
extension Manual {
  static let diffing = Command(
    name: .diff,
    summary: "Say which interactions are new, gone and changed.",
    operand: Command.Operand(placeholder: "OLD NEW", kind: .path, count: 2...2),
    notes: [
      "OLD and NEW are cassettes, or folders of them. Layout and times do not count. A changed interaction is followed by "
        + "what changed, place by place, and whether it now comes behind another of the same request. Exits 1 when there is a difference."
    ],
    examples: [
      "mockserver diff cassettes recorded": "two folders",
      "git show main:a.json | mockserver diff /dev/stdin a.json": "what this branch changes",
    ])

  static let gitting = Command(
    name: .git,
    summary: "Have git show and merge cassettes by interaction.",
    operand: Command.Operand(placeholder: "install|resolve|textconv|merge ARG", kind: .path, count: 1...Int.max),
    sections: [Command.Section(title: "Options of resolve", options: [ours, theirs, both])],
    notes: [
      "install [FOLDER...] adds lines to .gitattributes and sets merge.cassette and diff.cassette in the configuration "
        + "of this clone; done twice it changes nothing. Without a FOLDER all folders named cassettes or Cassettes are "
        + "meant. Everybody runs it once in their clone.",
      "merge BASE OURS THEIRS [PATH] is what git calls. Interactions that two branches recorded come together; rules "
        + "merge beside the exchange. When both changed one, both are kept, the id of theirs ends in "
        + "\"(conflict: theirs)\", the file loads, the exit code is 1, and mockserver check names it until it is decided. "
        + "What is no cassette is merged line by line.",
      "resolve --ours|--theirs|--both FILE... decides all conflicts of a file. textconv FILE prints what git diff shows: "
        + "a heading for each interaction, texts with their line ends, no times.",
    ],
    examples: [
      "mockserver git install": "once in a clone",
      "mockserver git resolve --theirs cassettes/github.json": "after a conflict",
    ])

  static let ours = Option("ours", help: "Keep what this branch has.")
  static let theirs = Option("theirs", help: "Keep what the other branch has.")
  static let both = Option("both", help: "Keep both, one after the other.")
}
