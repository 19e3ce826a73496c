import CassetteHTTP
internal import CassetteRecording
package import CassetteSecrets
package import Cassettes

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Imports files of other tools into a folder of cassettes; nothing is written unless all files can be imported.
///
/// All secrets are collected before the first recording is redacted, because only the last response may reveal a secret of
/// the first request.
package struct ImportTransaction: Sendable {
  /// The result for one source.
  package struct Report: Sendable {
    /// Redacted secrets of one kind.
    package struct Taken: Sendable {
      /// The kind of token, or the name of the value; never the value.
      package var kind: String
      /// True if only the shape of the values identifies them.
      package var isGuess: Bool
      /// The number of different values.
      package var count = 1
      /// The location of the recording with the first value.
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
    /// The recordings that are not usable without their secrets: their locations, with the reason.
    package var warnings: [(place: SourcePlace, text: String)] = []
    /// The secrets that were redacted.
    package var taken: [Taken] = []
    /// The path of the cassette; nil if nothing could be imported.
    package var cassette: String?
  }

  /// The progress of an import.
  package struct Progress: Sendable {
    package var file: String
    /// The number of recordings that were read.
    package var read: Int
  }

  /// The reason why nothing was imported.
  package enum Failure: Error, Sendable {
    /// A file is invalid or cannot be imported.
    case refused(CassetteError)
    /// A cassette with this name exists already.
    case exists(String)
  }

  /// The folder for the cassettes.
  package var into: String
  /// The redaction of secrets, by default the standard redaction; nil disables redaction.
  package var redaction: CassetteRedaction?
  /// True to replace existing cassettes; false by default.
  package var replaces = false
  /// True to translate the templates in all responses of WireMock (`--global-response-templating`); false by default.
  package var hasTemplates = false
  /// A closure that receives the progress.
  package var progress: @Sendable (Progress) -> Void = { _ in }
  /// A closure that is called when everything has been read, before the first file is written.
  package var willWrite: @Sendable () -> Void = {}

  package init(into: String, redaction: CassetteRedaction? = .standard) {
    self.into = into
    self.redaction = redaction
  }

  /// Imports files, or folders that contain `mappings` of WireMock.
  ///
  /// - `format`: The format of all files. Default: detected from their contents.
  package func run(_ paths: [String], as format: CassetteFormat? = nil) throws(Failure) -> [Report] {
    let sources: [ImportSource]
    do throws(CassetteError) {
      sources = try ImportSource.sources(of: paths, as: format)
    } catch {
      throw .refused(error)
    }
    for source in sources where !replaces {
      let path = Folder.join(into, "\(source.name).json")
      if Folder.kind(of: path) != .missing { throw .exists(path) }
    }
    do throws(CassetteError) {
      var made: [(cassette: Cassette, report: Report)] = []
      for var source in sources {
        source.hasTemplates = hasTemplates
        made.append(try convert(source))
      }
      willWrite()
      if made.contains(where: { $0.report.cassette != nil }) { try createFolder() }
      for (cassette, report) in made {
        if let path = report.cassette { try write(cassette, to: path) }
      }
      return made.map(\.report)
    } catch {
      throw .refused(error)
    }
  }

  /// Writes a cassette without the body files of the cassette that it replaces; these stay if writing fails.
  private func write(_ cassette: Cassette, to path: String) throws(CassetteError) {
    let bodies = Folder.join(into, "bodies/\(BodyNames.folder(of: cassette.name))")
    let replaced = bodies + ".replaced"
    if replaces { try? FileManager.default.moveItem(atPath: bodies, toPath: replaced) }
    do throws(CassetteError) {
      try CassetteFile.write(cassette, to: path)
    } catch {
      if Folder.kind(of: replaced) == .folder {
        try? FileManager.default.removeItem(atPath: bodies)
        try? FileManager.default.moveItem(atPath: replaced, toPath: bodies)
      }
      throw error
    }
    try? FileManager.default.removeItem(atPath: replaced)
  }

  private func createFolder() throws(CassetteError) {
    guard [.folder, .missing].contains(Folder.resolvedKind(of: into)) else {
      throw CassetteError(file: into, message: "is a file; name a folder for the cassettes")
    }
    do {
      try FileManager.default.createDirectory(atPath: into, withIntermediateDirectories: true)
    } catch {
      throw CassetteError(.foundation(error, "create the folder", into), of: into)
    }
  }

  private func convert(_ source: ImportSource) throws(CassetteError) -> (Cassette, Report) {
    var read = 0
    let content = try source.read {
      read += 1
      progress(Progress(file: source.label, read: read))
    }
    let interactions = content.recordings.map(\.interaction)
    var redaction = redaction
    if source.format == .vcr {
      for placeholder in try Placeholders.all(in: interactions) { redaction = redaction?.keeping(.value(placeholder)) }
    }
    var pass = redaction.map { RedactionPass($0) }
    var report = Report(file: source.label, format: source.format)
    report.taken = try collect(content.recordings, &pass)
    let origin = content.origin ?? Self.mostFrequentOrigin(of: interactions)
    let path = Folder.join(into, "\(source.name).json")
    report.skipped = content.skipped
    report.left = content.notes.left
    let replaced = replaces && Folder.kind(of: path) == .file ? try CassetteFile.read(path: path) : nil
    var cassette = replaced ?? Cassette(name: source.name)
    cassette.origin = origin?.isEmpty == true ? nil : origin
    cassette.schema = SchemaReference.path(from: path) ?? cassette.schema
    cassette.interactions = []
    let scanner = self.redaction.map { SecretScanner($0) }
    // The origin is scanned as a URL, which also finds secrets in the host name.
    if let origin = cassette.origin, var copy = pass { cassette.origin = copy.redacting(origin, as: .url) }
    for (interaction, place) in content.recordings {
      let (redacted, refusal) = try redacted(interaction, cassette.origin, &pass, scanner) {
        report.warnings.append((place, $0))
      }
      if let refusal, !interaction.isGap {
        report.skipped.append(
          SkippedRecording(file: place.file, line: place.line, item: refusal.item, reason: refusal.reason))
      }
      guard let redacted else { continue }
      if !redacted.isGap { report.imported += 1 }
      cassette.interactions.append(redacted)
    }
    // The rules of a mapping or simulation are those of its file, in which a missing rule has a meaning.
    let isRuled = source.format == .wiremock || source.format == .hoverfly
    for lost in replaced.map({ RecordingMerge.keepRules(of: $0, in: &cassette, isRuled: isRuled) }) ?? [] {
      let what = "match, replay or note of \(lost.id), which only the replaced cassette has"
      report.left.append(.init(what: what, file: path, line: lost.place?.line ?? 1, isLeftOut: !isRuled))
    }
    // Without recordings no cassette is written, unless the source is empty as well.
    if report.imported > 0 || content.count == 0 { report.cassette = path }
    return (cassette, report)
  }

  /// Collects the secrets of all recordings; returns their kinds.
  private func collect(
    _ recordings: [(interaction: Interaction, place: SourcePlace)], _ pass: inout RedactionPass?
  ) throws(CassetteError) -> [Report.Taken] {
    var taken: [Report.Taken] = []
    var done = 0
    for (interaction, place) in recordings {
      try pass?.collect(interaction)
      for text in RuleTexts.all(of: interaction.match) { pass?.collect(text) }
      for (kind, isGuess) in pass?.removed.dropFirst(done) ?? [] {
        if let index = taken.firstIndex(where: { $0.kind == kind && $0.isGuess == isGuess }) {
          taken[index].count += 1
        } else {
          taken.append(Report.Taken(kind: kind, isGuess: isGuess, place: place))
        }
      }
      done = pass?.removed.count ?? 0
    }
    return taken
  }

  /// Returns the most frequent origin; if several are equally frequent, the first one.
  private static func mostFrequentOrigin(of interactions: [Interaction]) -> String? {
    let origins = interactions.compactMap { RecordedTarget.origin(of: $0.url) }.filter { !$0.contains("@") }
    let counts = origins.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    let most = counts.values.max()
    return origins.first { counts[$0] == most }
  }

  /// Returns a recording without its secrets, or a placeholder and the reason why the recording is refused, or neither.
  private func redacted(
    _ recording: Interaction, _ origin: String?, _ pass: inout RedactionPass?, _ scanner: SecretScanner?,
    warn: (String) -> Void
  ) throws(CassetteError) -> (Interaction?, refusal: (item: String, reason: String)?) {
    func opaqueReason(_ interaction: Interaction) -> String? {
      guard let redaction, !redaction.keepsOpaque else { return nil }
      return interaction.opaqueReason
    }
    var interaction = recording
    var refusal: (item: String, reason: String)?
    if let reason = opaqueReason(interaction) {
      refusal = (interaction.shown, "\(reason); \(OpaqueBody.remedy)")
      interaction = interaction.opaqueGap(reason)
    }
    interaction = try pass?.redacting(interaction) ?? interaction
    let kept = pass?.keptGuesses ?? []
    for warning in pass?.warnings ?? [] { warn(warning) }
    if var rulePass = pass {
      let match = RuleTexts.redacting(interaction.match, &rulePass)
      if match != interaction.match { interaction.match = match }
      pass = rulePass
    }
    if let origin, RecordedTarget.origin(of: interaction.url) == origin {
      interaction.url = Exchange.withoutOrigin(interaction.url)
    }
    // A secret that is not a whole value cannot be redacted. Only this recording is skipped.
    let scanner = scanner?.keeping(kept)
    if let finding = try scanner?.findings(in: interaction).first {
      let kept = "a possible \(finding.kind) would be recorded"
      refusal = refusal ?? ("a recording", "\(finding.part): \(kept); to let it pass: --keep 'value:…'")
      interaction = interaction.gap(kept)
      guard try scanner?.findings(in: interaction).isEmpty ?? true else { return (nil, refusal) }
    }
    do throws(CassetteError) {
      // A cassette is refused as a whole, so each recording is checked.
      _ = try CassetteFile.compactBytes(of: interaction, isReadable: false)
    } catch {
      return (nil, refusal ?? ("a recording", error.message))
    }
    return (interaction, refusal)
  }
}
