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
  func answer(
    headers: HTTPHeaders, trailers: HTTPHeaders, body: [[UInt8]]
  ) throws(EngineError) -> any CompiledAnswer {
    do throws(TemplateError) {
      return try ResponseTemplate(headers: headers, trailers: trailers, body: body)
    } catch {
      throw EngineError(error.message, at: error.offset, error.suggestion)
    }
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
