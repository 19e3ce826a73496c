import Testing

@testable import CassetteEngines

/// Errors of templates.
@Suite struct TemplateParserTests {
  @Test(arguments: [
    ("{{quary.page}}", "unknown helper or value \"quary\"", 2),
    ("ab{{uper 'x'}}", "unknown helper or value \"uper\"", 4),
    ("{{#fi query.x}}{{/fi}}", "unknown block \"#fi\"", 3), ("{{query.page", "\"{{\" is not closed", 0),
    ("{{#if query.page}}x", "{{#if}} is not closed", 0), ("{{/if}}", "{{/if}} does not follow a block", 0),
    ("{{#each query.a}}{{/if}}", "{{/if}} closes {{#each}}", 17),
    ("{{replace 'a'}}", "replace takes 3 arguments, not 1", 2),
    ("{{now offest=-1d}}", "now has no argument \"offest\"", 6),
    ("{{now offset=tomorrow}}", "\"tomorrow\" is not a valid offset", 2),
    ("{{now 'yyyy-QQ'}}", "unknown letter \"Q\" in the time format \"yyyy-QQ\"", 2),
    ("{{fake nmae}}", "fake does not support \"nmae\"", 7),
    ("{{this.id}}", "\"this\" is valid only in #each and #with", 2), ("{{query}}", "query needs a name", 2),
    ("{{body.name}}", "a value of a JSON body needs a path", 2),
    ("{{body.$.[}}", "\"$.[}}\" is not a JSON path: expected a name at character 3", 7),
    ("{{upper (lower 'x'}}", "\"(\" is not closed", 8), ("{{upper 'x}}", "a string is not closed", 8),
  ])
  func `a template error has a message and an offset`(template: String, message: String, offset: Int) throws {
    let error = #expect(throws: TemplateError.self) { try Template(Array(template.utf8), as: .text) }
    #expect(error?.message == message)
    #expect(error?.offset == offset)
  }

  @Test func `an error in a JSON string has its offset in the escaped source`() throws {
    let error = #expect(throws: TemplateError.self) {
      try Template(Array(#"{"a": "\u00e9\n{{nope}}"}"#.utf8), as: .json)
    }
    #expect(error?.offset == 17)
    #expect(error?.known.contains("now") == true)
  }
}
