import CassetteHTTP
internal import CassetteRecording
package import CassetteSecrets
package import Cassettes

/// Imports files of other tools into a folder of cassettes, all of them or none.
///
/// Each file is read twice: first to find all secrets and the origin, then to write the cassette. Thus a secret that
/// only the last response reveals is redacted in the first request, and memory use is low.
package struct ImportTransaction: Sendable {
  /// The result for one source.
  package struct Report: Sendable {
    /// Redacted tokens of one kind, which were recognized by their shape.
    package struct Taken: Sendable {
      /// The kind of token, never its value.
      package var kind: String
      /// The number of different tokens.
      package var count = 1
      /// The location of the recording with the first token.
      package var place: SourcePlace
    }

    /// The path of the source.
    package var file: String
    package var format: CassetteFormat
    /// The number of recordings in the cassette.
    package var imported = 0
    package var skipped: [SkippedRecording] = []
    /// Data that is lost, or stored in another form.
    package var left: [ImportNotes.Note] = []
    /// The number of values that are lost, in addition to the skipped recordings.
    package var leftOut: Int { left.reduce(0) { $0 + ($1.isLeftOut ? $1.count : 0) } }
    /// The secrets that were redacted because of their shape alone.
    package var taken: [Taken] = []
    /// The path of the cassette; nil if nothing could be imported.
    package var cassette: String?
  }

  /// The progress of an import.
  package struct Progress: Sendable {
    package var file: String
    /// True while the cassette is written; false during the search for secrets.
    package var isWriting: Bool
    package var imported: Int
    package var bytes: Int
    package var size: Int
  }

  /// The reason why nothing was imported.
  package enum Failure: Error, Sendable {
    /// A file is invalid or cannot be imported.
    case refused(CassetteError)
    /// A cassette with this name exists already.
    case exists(String)
    /// `isStopped` returned true.
    case stopped
  }

  /// The folder for the cassettes.
  package var into: String
  /// The redaction of secrets, by default the standard redaction; nil disables redaction.
  package var redaction: CassetteRedaction?
  /// True to replace existing cassettes; false by default.
  package var replaces = false
  /// A closure that receives the progress.
  package var progress: @Sendable (Progress) -> Void = { _ in }
  /// A closure that returns true to cancel the import; it is called for each recording.
  package var isStopped: @Sendable () -> Bool = { false }

  package init(into: String, redaction: CassetteRedaction? = .standard) {
    self.into = into
    self.redaction = redaction
  }

  /// Imports files, or folders that contain `mappings` of WireMock.
  ///
  /// - `format`: The format of all files. Default: detected from their contents.
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
      var pass = redaction.map { RedactionPass($0) }
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
      // The most frequent origin; if several are equally frequent, the first one.
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
    if isStopped() { throw CassetteError(file: into, message: "was not written, because the import was stopped") }
  }

  private func write(
    _ source: ImportSource, _ origin: String?, _ pass: RedactionPass?, _ captured: Set<Int>, _ folder: String
  ) throws(CassetteError) -> Report {
    var pass = pass
    var redactedOrigin = origin
    if let origin, var copy = pass {
      // The origin is scanned as a URL, which also finds secrets in the host name.
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
      // A secret that is not a whole value cannot be redacted. Only this recording is skipped.
      if let finding = try scanner?.findings(in: interaction).first {
        let kept = "a possible \(finding.kind) would be recorded"
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
        // Errors with a line concern one recording, which is skipped; errors of the file system end the import.
        guard error.line > 0 else { throw error }
        if !interaction.isGap { refuse("a recording", at: place, error.message) }
      }
    }
    try draft.finish()
    var report = Report(file: source.label, format: source.format)
    report.imported = count
    report.skipped = result.skipped + refused
    report.left = result.notes.left
    // Without recordings no cassette is written, unless the source is empty as well.
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

  /// Removes the cassette's origin from a URL.
  private static func relative(_ url: String, to origin: String) -> String {
    RecordedTarget.origin(of: url) == origin ? Exchange.withoutOrigin(url) : url
  }
}

extension Placeholders {
  /// Returns a redaction that keeps the placeholders in recordings of VCR, which are not secrets and which users know.
  static func kept(of source: ImportSource, _ redaction: CassetteRedaction) throws(CassetteError) -> CassetteRedaction {
    guard source.format == .vcr else { return redaction }
    var found: Set<String> = []
    _ = try source.each { (interaction, _) throws(CassetteError) in
      collect(Array(interaction.url.utf8), &found)
      for field in interaction.requestHeaders { collect(Array(field.value.utf8), &found) }
      for field in interaction.response?.headers ?? [] { collect(Array(field.value.utf8), &found) }
      collect(try interaction.requestBody?.bytes() ?? [], &found)
      collect(try interaction.response?.body?.bytes() ?? [], &found)
    }
    return found.sorted().reduce(redaction) { $0.keeping(.value($1)) }
  }
}
