package import CassetteHTTP
internal import CassetteSystem
package import Cassettes

/// The templates among a table's recordings, each compiled on first use.
package final class PlayedTemplates: TableTemplates {
  private let entries: [Int: TemplateEntry]
  private let links: ValueLinks?
  private let standIn: @Sendable ([UInt8]) -> [UInt8]?
  private let created: @Sendable (HTTPHeaders, [UInt8]) -> String?
  private let compiled = Locked<[Int: ResponseTemplate]>([:])
  private let slow = Locked<Set<Int>>([])
  /// The time after which a template is slow: 10 such answers in a row delay other clients by less than 50 ms.
  private static let longest = Duration.milliseconds(2)

  /// Creates the templates of a table.
  package init(
    _ entries: [TemplateEntry], standIn: @escaping @Sendable ([UInt8]) -> [UInt8]?,
    created: @escaping @Sendable (HTTPHeaders, [UInt8]) -> String?
  ) {
    (self.standIn, self.created) = (standIn, created)
    var templates: [Int: TemplateEntry] = [:]
    for (number, entry) in entries.enumerated() where entry.interaction.isTemplate { templates[number] = entry }
    self.entries = templates
    links = ValueLinks(entries, templates: Set(templates.keys)) { interaction in
      interaction.response.flatMap { created($0.headers, (try? $0.body?.bytes()) ?? []) }
    }
  }

  package func concerns(_ entry: Int) -> Bool { entries[entry] != nil || links?.concerns(entry) == true }

  package func isSlow(_ entry: Int) -> Bool { slow.withLock { $0.contains(entry) } }

  package func memory() -> any TemplateMemory { SessionNames() }

  package func recorded(
    _ request: HTTPRequest, in memory: any TemplateMemory
  ) -> (request: HTTPRequest, names: [GeneratedName])? {
    guard let links, let memory = memory as? SessionNames else { return nil }
    var (renamed, used) = (request, [GeneratedName]())
    for name in memory.names.reversed() {
      guard let other = links.recorded(renamed, from: name) else { continue }
      renamed = other
      used.append(name)
    }
    return used.isEmpty ? nil : (renamed, used)
  }

  package func response(
    of entry: Int, in context: TemplateContext, _ memory: any TemplateMemory
  ) throws(CassetteError) -> RecordedResponse? {
    guard let found = entries[entry], var response = found.interaction.response else { return nil }
    let template = try template(of: entry, found, response)
    var context = context
    if let memory = memory as? SessionNames { context.count = { memory.next($0, from: $1, by: $2) } }
    do throws(EngineError) {
      let start = ContinuousClock.now
      defer { if ContinuousClock.now - start > Self.longest { slow.withLock { _ = $0.insert(entry) } } }
      let made = try template.render(in: &context)
      (response.headers, response.trailers) = (made.headers, made.trailers)
      if case .chunks(let pieces, let end)? = response.body?.form {
        response.body = .chunks(zip(pieces, made.body).map { BodyChunk(after: $0.after, bytes: $1) }, end: end)
      } else if response.body != nil {
        response.body = .played(made.body.first ?? [])
      }
      return response
    } catch {
      throw CassetteError(found.place, "template of \"\(found.interaction.id)\": \(error.message)")
    }
  }

  private func template(
    of entry: Int, _ found: TemplateEntry, _ response: RecordedResponse
  ) throws(CassetteError) -> ResponseTemplate {
    if let known = compiled.withLock({ $0[entry] }) { return known }
    var pieces: [[UInt8]] = []
    if case .chunks(let chunks, _)? = response.body?.form {
      pieces = chunks.map(\.bytes)
    } else if let body = response.body {
      pieces = [try body.bytes()]
    }
    let field = { (field: HTTPHeaders.Field) in
      self.standIn(Array(field.value.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }
    do throws(TemplateError) {
      let template = try ResponseTemplate(
        headers: response.headers.replacing(field), trailers: response.trailers.replacing(field),
        body: pieces.map { standIn($0) ?? $0 })
      compiled.withLock { $0[entry] = template }
      return template
    } catch {
      throw CassetteError(found.place, "template: \(error.message)", error.suggestion)
    }
  }

  package func link(
    _ entry: Int, _ headers: inout HTTPHeaders, content: [UInt8]?, to asked: HTTPRequest, _ names: [GeneratedName],
    _ memory: any TemplateMemory
  ) -> (([UInt8]) -> [UInt8]?)? {
    guard let links, links.concerns(entry), let memory = memory as? SessionNames else { return nil }
    if links.generates(entry) {
      if let content, let name = created(headers, content), let generated = links.generated(name, by: entry) {
        memory.handOut(generated)
      }
      return nil
    }
    // Names in the request take precedence over the latest generated ones; a client that uses the recorded name keeps
    // it.
    var names = names
    for name in memory.names.reversed() where !names.contains(where: { $0.recorded == name.recorded }) {
      if !asked.target.text.contains(name.recorded) { names.append(name) }
    }
    let changes = names.map { NameChange(from: $0.recorded, to: $0.name) }
    for change in changes {
      for field in ["Location", "Content-Location", "Link"] {
        headers = headers.replacing { $0.isNamed(field) ? change.field($0.value) : nil }
      }
    }
    return { bytes in
      let changed = changes.reduce(bytes) { bytes, change in change.content(bytes) ?? bytes }
      return changed == bytes ? nil : changed
    }
  }
}
