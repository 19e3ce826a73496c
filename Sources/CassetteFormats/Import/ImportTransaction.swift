internal import CassetteFiles
import CassetteHTTP
internal import CassetteRecording
package import CassetteSecrets
package import Cassettes

/// Brings files of other tools into a folder of cassettes: all of them, or none.
///
/// Each file is read twice, recording by recording: first to learn every secret in it and where it was recorded, then to
/// write. So that what the last response gives away is taken out of the first request, and little is in memory.
package struct ImportTransaction: Sendable {
  /// The outcome for one source.
  package struct Report: Sendable {
    /// Tokens of one kind that no name gave away, and that were taken out.
    package struct Taken: Sendable {
      /// The kind that they look like, never their values.
      package var kind: String
      /// The number of different ones.
      package var count = 1
      /// The place of the first one's recording.
      package var place: SourcePlace
    }

    /// The first file of the source.
    package var file: String
    package var format: CassetteFormat
    /// The number of exchanges in the cassette.
    package var imported = 0
    package var skipped: [SkippedRecording] = []
    /// The facts that a cassette cannot hold, or has in another form, by name.
    package var left: [ImportNotes.Note] = []
    /// The number of omissions; with the skipped recordings, all that is not in the cassette.
    package var leftOut: Int { left.reduce(0) { $0 + ($1.isLeftOut ? $1.count : 0) } }
    /// The secrets that were taken out by their shape alone.
    package var taken: [Taken] = []
    /// The cassette that was written; nil when nothing could be imported.
    package var cassette: String?
  }

  /// The progress of an import.
  package struct Progress: Sendable {
    package var file: String
    /// Looking for secrets, or writing.
    package var isWriting: Bool
    package var imported: Int
    package var bytes: Int
    package var size: Int
  }

  /// The reason why nothing was imported.
  package enum Failure: Error, Sendable {
    /// A file is refused.
    case refused(CassetteError)
    /// A cassette of that name is there already.
    case exists(String)
    /// It was asked to stop.
    case stopped
  }

  /// The folder of cassettes.
  package var into: String
  /// The redaction of secrets; nil to keep them.
  package var redaction: CassetteRedaction?
  /// True if cassettes that are there are replaced.
  package var replaces = false
  /// A closure that is told the progress.
  package var progress: @Sendable (Progress) -> Void = { _ in }
  /// A closure that is asked with each recording whether to stop, and leave nothing.
  package var isStopped: @Sendable () -> Bool = { false }

  package init(into: String, redaction: CassetteRedaction? = .standard) {
    self.into = into
    self.redaction = redaction
  }

  /// Imports files, or folders with WireMock's `mappings` in them; without a format it is told by what is in them.
  package func run(_ paths: [String], as format: CassetteFormat? = nil) throws(Failure) -> [Report] {
    let sources = try refusing { () throws(CassetteError) in try ImportSource.sources(of: paths, as: format) }
    if !replaces, let there = ImportFolder.existing(sources.map(\.name), in: into) { throw .exists(there) }
    let folder = try refusing { () throws(CassetteError) in try ImportFolder(beside: into) }
    var reports: [Report] = []
    do throws(Failure) {
      for source in sources { reports.append(try write(source, folder.path)) }
      try folder.commit(reports.filter { $0.cassette != nil }.map { CassetteFile.name(ofFile: $0.cassette ?? "") })
    } catch {
      folder.discard()
      throw error
    }
    folder.discard()
    return reports
  }

  private func refusing<Result>(_ act: () throws(CassetteError) -> Result) throws(Failure) -> Result {
    do throws(CassetteError) { return try act() } catch { throw .refused(error) }
  }

  private func write(_ source: ImportSource, _ folder: String) throws(Failure) -> Report {
    do throws(CassetteError) {
      let redaction = try redaction.map { redaction throws(CassetteError) in
        try Placeholders.kept(of: source, redaction)
      }
      var pass = redaction.map { StreamedRedaction($0) }
      var origins: [(origin: String, count: Int)] = []
      var known: [String: Int] = [:]
      var seen = 0
      var captured: Set<Int> = []
      var taken: [Report.Taken] = []
      var tokens = 0
      let read = try source.each(progress: report(source, false, { seen })) {
        (interaction, place) throws(CassetteError) in
        try goOn()
        if !interaction.isGap { seen += 1 }
        if let status = interaction.status { captured.insert(interaction.answerKey(status)) }
        if let origin = RecordedTarget.origin(of: interaction.url), !origin.contains("@") {
          if let index = known[origin] {
            origins[index].count += 1
          } else {
            known[origin] = origins.count
            origins.append((origin, 1))
          }
        }
        try pass?.collect(interaction)
        for text in RuleTexts.all(of: interaction.match) { pass?.collect(text) }
        for (kind, _) in pass?.tokens.dropFirst(tokens) ?? [] {
          if let index = taken.firstIndex(where: { $0.kind == kind }) {
            taken[index].count += 1
          } else {
            taken.append(Report.Taken(kind: kind, place: place))
          }
        }
        tokens = pass?.tokens.count ?? 0
      }
      // The first of those that most recordings belong to.
      let most = origins.map(\.count).max()
      let said = read.origin ?? origins.first { $0.count == most }?.origin
      let origin = said?.isEmpty == true ? nil : said
      var report = try write(source, origin, pass, captured, folder)
      report.taken = taken
      return report
    } catch {
      throw isStopped() ? .stopped : .refused(error)
    }
  }

  private func goOn() throws(CassetteError) {
    if isStopped() { throw CassetteError(file: into, message: "was not written: the import was stopped") }
  }

  private func write(
    _ source: ImportSource, _ origin: String?, _ pass: StreamedRedaction?, _ captured: Set<Int>, _ folder: String
  ) throws(CassetteError) -> Report {
    var pass = pass
    var redactedOrigin = origin
    if let origin, var copy = pass {
      // As a URL, so that a secret in the host's name goes as well.
      redactedOrigin = copy.redacting(origin, as: .url)
    }
    let schema = SchemaReference.path(from: "\(into)/\(source.name).json")
    let draft = try CassetteDraft(name: source.name, in: folder, origin: redactedOrigin, schema: schema)
    let scanner = redaction.map { SecretScanner($0) }
    var refused: [SkippedRecording] = []
    func refuse(_ item: String, at place: SourcePlace, _ reason: String) {
      refused.append(SkippedRecording(file: place.file, line: place.line, item: item, reason: reason))
    }
    var count = 0
    func refuses(_ interaction: Interaction) -> String? {
      guard let redaction, !redaction.keepsOpaque else { return nil }
      return interaction.opaqueReason
    }
    let result = try source.each(findsUnknown: true, captured: captured, progress: report(source, true, { count })) {
      (interaction, place) throws(CassetteError) in
      try goOn()
      var interaction = interaction
      if let reason = refuses(interaction) {
        if !interaction.isGap { refuse(interaction.shown, at: place, "\(reason); \(OpaqueBody.remedy)") }
        interaction = interaction.gap(reason)
        // The body that makes the interaction unacceptable may be that of the request.
        if refuses(interaction) != nil { interaction.requestBody = nil }
        if refuses(interaction) != nil { return }
      }
      interaction = try pass?.redacting(interaction) ?? interaction
      if var rulePass = pass {
        let match = RuleTexts.redacting(interaction.match, &rulePass)
        if match != interaction.match { interaction.match = match }
        pass = rulePass
      }
      if let redactedOrigin { interaction.url = Self.relative(interaction.url, to: redactedOrigin) }
      // What could not be taken out, as it is no value: the rest of the file is imported all the same.
      if let finding = try scanner?.findings(in: interaction).first {
        let kept = "what looks like a \(finding.kind) would be kept"
        if !interaction.isGap {
          refuse("a recording", at: place, "\(finding.part): \(kept); to let it pass: --keep 'value:…'")
        }
        interaction = interaction.gap(kept)
        guard try scanner?.findings(in: interaction).isEmpty ?? true else { return }
      }
      do throws(CassetteError) {
        try draft.append(interaction)
        if !interaction.isGap { count += 1 }
      } catch {
        // What no cassette can say is skipped; what the system says ends all.
        guard error.line > 0 else { throw error }
        if !interaction.isGap { refuse("a recording", at: place, error.message) }
      }
    }
    try draft.finish()
    var report = Report(file: source.label, format: source.format)
    report.imported = count
    report.skipped = result.skipped + refused
    report.left = result.notes.left
    // Nothing to play is nothing to keep, unless the source was empty, too.
    if count > 0 || result.count == 0 { report.cassette = Folder.join(into, "\(source.name).json") }
    return report
  }

  private func report(_ source: ImportSource, _ isWriting: Bool, _ count: @escaping () -> Int) -> (Int) -> Void {
    let file = source.label
    let size = source.size
    return { bytes in
      progress(Progress(file: file, isWriting: isWriting, imported: count(), bytes: bytes, size: size))
    }
  }

  /// A URL without the origin that the cassette names.
  private static func relative(_ url: String, to origin: String) -> String {
    RecordedTarget.origin(of: url) == origin ? Exchange.withoutOrigin(url) : url
  }
}
