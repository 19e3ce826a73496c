import CassetteEngines
internal import CassetteSystem

extension Exchange {
  /// Translates the template of another tool in a response to a template of this project.
  mutating func translate(_ tool: ForeignTemplate) throws(Unusable) {
    let texts = [body] + headers.map { Array($0.1.utf8) }
    guard texts.contains(where: { $0.firstIndex(of: Array("{{".utf8)) != nil }) else { return }
    do throws(TemplateError) {
      body = try tool.translated(body, as: ResponseTemplate.content(of: Self.mediaType(of: headers), body))
      var fields: [(String, String)] = []
      for (name, value) in headers {
        let text = try tool.translated(Array(value.utf8), as: ResponseTemplate.content(ofField: name))
        fields.append((name, String(decoding: text, as: UTF8.self)))
      }
      headers = fields
      isTemplate = true
    } catch {
      throw Unusable("its response is a template: \(error.message)")
    }
  }
}
