import Testing

@testable import CassetteEngines

@Suite struct `Templates of other tools` {
  @Test(arguments: [
    ("{{request.path.[0]}} {{request.path}} {{request.query.q.[1]}}", "{{path.0}} {{path}} {{query.q.1}}"),
    ("{{request.headers.X-Id}} {{{request.body}}} {{request.method}}", "{{header.X-Id}} {{body}} {{method}}"),
    ("{{jsonPath request.body '$.a.b'}} {{randomValue type='UUID'}}", "{{body.$.a.b}} {{uuid}}"),
    (#"{"n": "{{jsonPath request.body '$.n'}}"}"#, #"{"n": "{{string (body.$.n)}}"}"#),
    (
      "{{now offset='3 days' format='yyyy-MM-dd'}} {{randomInt lower=1 upper=7}}",
      "{{now 'yyyy-MM-dd' offset='3 days'}} {{random 1..6}}"
    ),
    (
      "{{#each (jsonPath request.body '$.items') as |item|}}{{item.id}}{{/each}}",
      "{{#each (body.$.items) as |item|}}{{item.id}}{{/each}}"
    ),
    (
      "{{#each request.query.tag}}{{this}}{{@index}}{{/each}}{{upper request.query.x}}",
      "{{#each query.tag}}{{this}}{{@index}}{{/each}}{{upper query.x}}"
    ),
    ("{{#if request.query.a}}1{{else}}2{{/if}}", "{{#if query.a}}1{{else}}2{{/if}}"), ("plain", "plain"),
    ("{{#assign 'f'}}yyyy-MM-dd{{/assign}}{{now format=f}}", "{{now 'yyyy-MM-dd'}}"),
    (
      "{{#assign 'a'}}n-{{request.query.q}}{{/assign}}{{a}} {{upper a}}",
      "{{(concat 'n-' (query.q))}} {{upper (concat 'n-' (query.q))}}"
    ),
    ("{{assign 'x' 'v'}}{{x}} {{val 'w' assign='y'}}{{y}}", "{{('v')}} {{('w')}}"),
    ("{{#assign 'id'}}{{randomValue type='UUID'}}{{/assign}}{{id}}", "{{(uuid)}}"),
    ("{{request.requestLine.baseUrl}} {{request.requestLine.query.q}}", "{{base}} {{query.q}}"),
  ])
  func `WireMock templates are translated`(theirs: String, ours: String) throws {
    #expect(try String(decoding: ForeignTemplate.wireMock.translated(Array(theirs.utf8)), as: UTF8.self) == ours)
  }

  @Test(arguments: [
    (
      "{{ Request.QueryParam.one }} {{ Request.Path.[0] }} {{ State.eggs }}",
      "{{query.one}} {{path.0}} {{(replace state.eggs 'Started' '')}}"
    ),
    ("{{ Request.Body \"jsonpath\" \"$.test\" }} {{ randomUuid }}", "{{body.$.test}} {{uuid}}"),
    ("{{ randomIntegerRange 1 10 }} {{ faker 'Name' }}", "{{random 1..10}} {{fake name}}"),
    (
      "{{#each (Request.Body 'jsonpath' '$.currencies')}}{{ this }}{{/each}}",
      "{{#each (body.$.currencies)}}{{this}}{{/each}}"
    ),
  ])
  func `Hoverfly templates are translated`(theirs: String, ours: String) throws {
    #expect(try String(decoding: ForeignTemplate.hoverfly.translated(Array(theirs.utf8)), as: UTF8.self) == ours)
  }

  @Test(arguments: [
    (
      ForeignTemplate.wireMock, TemplateContent.markup,
      "<b>{{request.path}}</b>{{#if request.query.a}}1{{else}}2{{/if}}",
      "<b>{{{path}}}</b>{{#if query.a}}1{{else}}2{{/if}}"
    ),
    (.wireMock, .link, "/a{{request.path}}", "/a{{{path}}}"),
    (.wireMock, .json, #"{"a": "{{{request.path}}}"}"#, #"{"a": "{{string (path)}}"}"#),
    (.hoverfly, .markup, "{{ Request.Method }}{{{ Request.Host }}}", "{{method}}{{{host}}}"),
    (
      .hoverfly, .text, "{{{ Request.Host }}} {{#equal State.a 'b'}}{{/equal}}",
      "{{host}} {{#if (eq (replace state.a 'Started' '') 'b')}}{{/if}}"
    ),
  ])
  func `a value that the other tool does not escape stays unescaped after translation`(
    tool: ForeignTemplate, content: TemplateContent, theirs: String, ours: String
  ) throws {
    #expect(try String(decoding: tool.translated(Array(theirs.utf8), as: content), as: UTF8.self) == ours)
  }

  @Test(arguments: [
    (ForeignTemplate.wireMock, "a{{request.clientIp}}", "request.clientIp has no counterpart in a cassette", 1),
    (.wireMock, "{{soapXPath request.body '/a'}}", "the helper soapXPath has no counterpart in a cassette", 0),
    (.hoverfly, "{{ Vars.city }}", "Vars.city has no counterpart in a cassette", 0),
    (.hoverfly, "{{ setStatusCode 202 }}", "the helper setStatusCode has no counterpart in a cassette", 0),
    (.wireMock, "{{#regexExtract a}}{{/regexExtract}}", "the block #regexExtract has no counterpart in a cassette", 0),
    (.wireMock, "{{ a", "\"{{\" is not closed", 0),
  ])
  func `an expression without a counterpart is an error that names it`(
    tool: ForeignTemplate, text: String, message: String, offset: Int
  ) {
    let error = #expect(throws: TemplateError.self) { try tool.translated(Array(text.utf8)) }
    #expect(error?.message.replacing("{{#", with: "#").replacing("}} has", with: " has") == message)
    #expect(error?.offset == offset)
  }
}
