internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePatterns
internal import Cassettes

/// Registers the engines of this target; the core calls this C function before it reads the first cassette.
@_cdecl("cassette_register_engines")
func registerEngines() {
  var engines = Engines()
  engines.schemas = LinkedSchemas()
  engines.templates = LinkedTemplates()
  engines.resources = LinkedResources()
  Engines.register(engines)
}

private struct LinkedSchemas: SchemaEngine {
  func schema(_ text: [UInt8]) throws(EngineError) -> any CompiledSchema {
    do throws(JSONSchema.Problem) {
      return try JSONSchema(text)
    } catch {
      throw EngineError("\"schema\" at \(error.pointer): \(error.message)", at: error.offset)
    }
  }
}

private struct LinkedTemplates: TemplateEngine {
  func templates(
    of entries: [TemplateEntry], standIn: @escaping @Sendable ([UInt8]) -> [UInt8]?,
    created: @escaping @Sendable (HTTPHeaders, [UInt8]) -> String?
  ) -> any TableTemplates {
    PlayedTemplates(entries, standIn: standIn, created: created)
  }

  func errors(inResponse response: [UInt8], file: (String) -> [UInt8]?) -> [EngineError] {
    TemplateChecker.errors(in: response, file: file)
  }
}

private struct LinkedResources: ResourceEngine {
  func resource(_ definition: JSONTree) throws(EngineError) -> any CompiledResource {
    do throws(ResourceError) {
      return try ResourceReader(definition).definition()
    } catch {
      throw EngineError(error.message, at: error.offset)
    }
  }
}
