import CassetteHTTP
import CassetteJSON
import CassetteSystem
import Cassettes
import Testing

@testable import CassetteEngines

/// Renders a template for a request with a path, query, header fields, cookies and a JSON body.
private func rendered(_ text: String, as content: TemplateContent = .text, seed: UInt64 = 7) throws -> String {
  var context = try makeContext(seed: seed)
  return String(decoding: try Template(Array(text.utf8), as: content).render(in: &context), as: UTF8.self)
}

private func makeContext(seed: UInt64 = 7, body: String? = nil) throws -> TemplateContext {
  let body =
    body ?? #"{"n": 5, "price": 1.50, "name": "Ann \"A\" <b>", "big": 12345678901234567890, "on": true, "#
    + #""none": null, "items": [{"id": 1, "tag": "x"}, {"id": 2, "tag": "y"}], "empty": []}"#
  var request = HTTPRequest(
    method: .post,
    target: try #require(HTTPTarget("/users/4%202/repos?page=2&tag=a&tag=b&evil=%0d%0aX:%201&q=a%26b")),
    headers: [("X-Id", "h1"), ("Cookie", "a=1; theme=dark"), ("Content-Type", "application/json")])
  request.body = Array(body.utf8)
  var context = TemplateContext(
    request: request, base: "http://127.0.0.1:8080", session: "s", now: 1_795_352_645_123_000_000,
    random: SeededRandom(seed: seed))
  context.pathNames = { ["name": "4%202"] }
  context.state = { $0 == "cart" ? "full" : nil }
  return context
}

@Suite struct `Templates` {
  @Test(arguments: [
    ("{{path}}", "/users/4%202/repos"), ("{{path.name}}", "4 2"), ("{{path.0}} {{path.[2]}}", "users repos"),
    ("{{query.page}} {{query.tag}} {{query.tag.1}} [{{query.none}}]", "2 a b []"),
    ("{{header.x-id}} {{cookie.theme}} {{method}}", "h1 dark POST"),
    ("{{body.$.name}}", #"Ann "A" <b>"#), ("{{body.$.items[1].id}} {{body.$.items[*].id}}", "2 [1,2]"),
    ("{{state.cart}} {{base}} {{host}} {{session}}", "full http://127.0.0.1:8080 127.0.0.1:8080 s"),
    ("{{query.none default='x'}} {{body.$.none default=3}}", "x 3"),
    (#"a \{{b}} {{! no }}{{!-- {{no}} --}}c"#, "a {{b}} c"), ("  {{~query.page~}}  !", "2!"),
    ("{{secret:1}} {{secret:2:uuid}}", "{{secret:1}} {{secret:2:uuid}}"), ("{{{query.page}}}", "2"),
  ])
  func `placeholders are replaced by values of the request`(template: String, text: String) throws {
    #expect(try rendered(template) == text)
  }

  @Test(arguments: [
    ("{{#if query.page}}yes{{else}}no{{/if}}", "yes"), ("{{#unless query.page}}yes{{else}}no{{/unless}}", "no"),
    ("{{#if query.x}}1{{else if (eq query.page '2')}}2{{else}}3{{/if}}", "2"),
    ("{{#each body.$.items}}{{@index}}{{this.tag}}{{#unless @last}},{{/unless}}{{/each}}", "0x,1y"),
    ("{{#each body.$.items as |item number|}}{{number}}{{item.id}}{{/each}}", "0112"),
    ("{{#each body.$.empty}}x{{else}}none{{/each}}", "none"), ("{{#each query.tag}}{{this}};{{/each}}", "a;b;"),
    (
      "{{#each body.$.items}}{{#each this}}{{@key}}={{this}} {{../id}};{{/each}}{{/each}}",
      "id=1 1;tag=x 1;id=2 2;tag=y 2;"
    ),
    ("{{#with body.$.items[0]}}{{this.tag}}{{/with}}", "x"), ("{{#each (range 1 3)}}{{this}}{{/each}}", "123"),
    ("{{#each 2..4}}{{this}}{{/each}}", "234"),
  ])
  func `blocks are rendered by condition or once per item`(template: String, text: String) throws {
    #expect(try rendered(template) == text)
  }

  @Test(arguments: [
    ("{{upper 'aé'}} {{lower 'AB'}} {{capitalize 'ab c'}} {{trim ' a '}}", "AÉ ab Ab c a"),
    ("{{replace 'a-b-c' '-' '+'}} {{substring 'abcdef' 1 3}} {{substring 'abc' -2}}", "a+b+c bc bc"),
    ("{{join (split 'a b' ' ') '/'}} {{size body.$.items}} {{size 'abc'}}", "a/b 2 3"),
    ("{{first query.tag}} {{last query.tag}} {{lookup body.$.items[0] 'tag'}}", "a b x"),
    (
      "{{add 1 query.page}} {{subtract 1 2.5}} {{multiply 3 4}} {{divide 1 4}} {{modulo 7 4}} {{round 2.456 2}}",
      "3 -1.5 12 0.25 3 2.46"
    ),
    (
      "{{lt 1 2}} {{ge 1 2}} {{and true ''}} {{or '' 'b'}} {{not 0}} {{contains query.tag 'b'}}",
      "true false  b true true"
    ),
    ("{{startsWith 'abc' 'ab'}} {{endsWith 'abc' 'ab'}} {{concat 'a' 1 query.page}}", "true false a12"),
    ("{{base64 'hi?>'}} {{base64 'aGk' decode=true}} {{base64 'hi?>' url=true}}", "aGk/Pg== hi aGk_Pg"),
    ("{{sha256 'abc'}}", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "{{sha256 'The quick brown fox jumps over the lazy dog' key='key'}}",
      "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"
    ),
    ("{{urlencode 'a b/ü'}} {{json body.$.items[0]}}", #"a%20b%2F%C3%BC {"id": 1, "tag": "x"}"#),
    (
      "{{now}} {{now date}} {{now http}} {{now epoch}} {{now millis}}",
      "2026-11-22T13:04:05Z 2026-11-22 Sun, 22 Nov 2026 13:04:05 GMT 1795352645 1795352645123"
    ),
    (
      "{{now offset=-1d}} {{now date offset='+1w2d'}} {{now offset='3 hours'}}",
      "2026-11-21T13:04:05Z 2026-12-01 2026-11-22T16:04:05Z"
    ),
    (
      "{{now \"EEE d MMM yyyy 'at' hh:mm:ss.SSS a\"}} {{now zone=+02:00}}",
      "Sun 22 Nov 2026 at 01:04:05.123 PM 2026-11-22T15:04:05+02:00"
    ),
    ("{{date '2020-02-28T23:59:59.5Z' 'yyyy-MM-dd' offset=1s}} {{date 0}}", "2020-02-29 1970-01-01T00:00:00Z"),
    ("{{jwt sub='ann' exp='+1h'}}", "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJzdWIiOiJhbm4iLCJleHAiOjE3OTUzNTYyNDV9."),
  ])
  func `each template helper returns its result`(template: String, text: String) throws {
    #expect(try rendered(template) == text)
  }

  @Test(arguments: [
    ("{{base64 body}}", "//4AeA=="), ("{{base64 (string body)}}", "//4AeA=="), ("{{base64 body url=true}}", "__4AeA"),
    ("{{sha256 body}}", "d9f53fd9fe83ebdc68737e2d2cf3c25386d12c24d4aafbb3997ed447f2652ab0"),
  ])
  func `base64 and sha256 read the bytes of a body that is not UTF-8`(template: String, text: String) throws {
    var context = try makeContext()
    context.request.body = [0xff, 0xfe, 0, 0x78]
    let made = try Template(Array(template.utf8), as: .text).render(in: &context)
    #expect(String(decoding: made, as: UTF8.self) == text)
  }

  @Test func `a JWT with a secret is signed with HMAC SHA-256`() throws {
    let parts = try rendered("{{jwt sub='1234567890' name='John Doe' iat=1516239022 secret='your-256-bit-secret'}}")
      .split(separator: ".")
    #expect(parts.last == "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c")
  }

  @Test(arguments: [
    (#"{"total": "{{body.$.n}}"}"#, #"{"total": 5}"#),
    (#"["{{body.$.price}}", "{{body.$.big}}"]"#, "[1.50, 12345678901234567890]"),
    (
      #"{"a": "{{body.$.on}}", "b": "{{body.$.none}}", "c": "{{body.$.items}}"}"#,
      #"{"a": true, "b": null, "c": [{"id": 1, "tag": "x"}, {"id": 2, "tag": "y"}]}"#
    ),
    (
      #"{"a": "{{query.page}}", "b": "{{number query.page}}", "c": "n = {{body.$.n}}"}"#,
      #"{"a": "2", "b": 2, "c": "n = 5"}"#
    ),
    (#"{"name": "Hi {{body.$.name}}!", "{{query.page}}": 1}"#, #"{"name": "Hi Ann \"A\" <b>!", "2": 1}"#),
    (#"{"evil": "x{{query.evil}}"}"#, #"{"evil": "x\r\nX: 1"}"#),
    (#"{"items": {"{{#each body.$.items}}": {"id": "{{this.id}}"}}}"#, #"{"items": [{"id": 1},{"id": 2}]}"#),
    (#"{"{{#if query.page}}x{{/if}}": 1}"#, #"{"x": 1}"#),
    (#"{"{{#if query.x}}x{{else}}y{{/if}}z": 1, "a": 2}"#, #"{"yz": 1, "a": 2}"#),
    (#"{"b": 0, "{{#unless query.x}}x{{/unless}}": {"{{#if query.page}}q{{/if}}": 1}}"#, #"{"b": 0, "x": {"q": 1}}"#),
    (#"[0, {"{{#each body.$.items as |i|}}": "{{i.id}}"}, {"{{#if query.x}}": 9}]"#, "[0,1,2]"),
    (
      #"{"a": {"{{#if query.x}}": 1, "{{else}}": "{{body.$.n}}"}, "b": {"{{#if query.x}}": 1}}"#,
      #"{"a": 5, "b": null}"#
    ),
    (
      #"{"a": [{{#each body.$.items}}{"id": {{this.id}}}{{#unless @last}},{{/unless}}{{/each}}], "p": {{query.page}}, "t": "{{body.$.name}}"}"#,
      #"{"a": [{"id": 1},{"id": 2}], "p": 2, "t": "Ann \"A\" <b>"}"#
    ),
    (#"{"q": {{query.q}}, "u": {{body.$.none}}}"#, #"{"q": "a&b", "u": null}"#),
  ])
  func `a JSON template renders valid JSON, and a placeholder that fills a string keeps its value's type`(
    template: String, text: String
  ) throws {
    let json = try rendered(template, as: .json)
    #expect(json == text)
    #expect(JSONValue(Array(json.utf8)) != nil)
  }

  @Test(arguments: [
    (TemplateContent.markup, "<b>{{body.$.name}}</b>", "<b>Ann &quot;A&quot; &lt;b&gt;</b>"),
    (.form, "q={{query.q}}", "q=a%26b"), (.field, "v={{query.evil}}", "v=  X: 1"),
    (.link, "{{base}}/users/{{path.name}}?next={{query.q}}", "http://127.0.0.1:8080/users/4%202?next=a%26b"),
    (.link, "{{query.evil}}", "%0D%0AX:%201"), (.text, "{{query.q}}", "a&b"),
    (.markup, "<b>{{{body.$.name}}}</b>{{query.q}}", "<b>Ann \"A\" <b></b>a&amp;b"),
    (.form, "{{{query.q}}}&c=d", "a&b&c=d"),
    (.link, "/x{{{path}}}", "/x/users/4%202/repos"), (.link, "/x{{{query.evil}}}", "/x%0D%0AX:%201"),
    (.field, "v={{{query.evil}}}", "v=  X: 1"), (.json, #"{"a": "x{{{body.$.name}}}"}"#, #"{"a": "xAnn \"A\" <b>"}"#),
  ])
  func `template values are escaped for the template's content type`(
    content: TemplateContent, template: String, text: String
  ) throws {
    #expect(try rendered(template, as: content) == text)
  }

  @Test(arguments: [
    "{{uuid}}", "{{random 1..6}}", "{{random 0.50..1.50}}", "{{random 'a' 'b'}}", "{{random length=8 of=hex}}",
    "{{fake name}} {{fake email}}",
  ])
  func `random template values are equal for equal seeds`(template: String) throws {
    #expect(try rendered(template) == rendered(template))
    let others = try (1...20).map { try rendered(template, seed: $0) }
    #expect(Set(others).count > 1)
  }

  @Test func `random numbers are within their bounds`() throws {
    for seed in 1...200 as ClosedRange<UInt64> {
      let number = try #require(Int(rendered("{{random -2..3}}", seed: seed)))
      #expect((-2...3).contains(number))
      let price = try #require(Double(rendered("{{random 0.10..0.35}}", seed: seed)))
      #expect((0.1...0.35).contains(price))
    }
    let ids = try rendered("{{uuid}} {{uuid}}").split(separator: " ")
    #expect(ids.count == 2 && ids[0] != ids[1] && ids[0].count == 36)
  }

  @Test(arguments: [
    "{{#each 1..90000}}{{#each 1..90000}}x{{/each}}{{/each}}", "{{size (join 1..90000 (join 1..90000))}}",
    "{{#each 1..90000}}{{random length=60000}}{{/each}}", "{{contains 1..90000 (join 1..90000)}}{{range 0 1e300}}",
    "{{replace (random length=60000 of='a') 'a' (random length=60000)}}",
  ])
  func `a template that exceeds its time or size limit throws an error`(template: String) throws {
    #expect(throws: TemplateError.self) { try rendered(template) }
  }

  @Test func `a template that renders invalid JSON throws an error`() throws {
    #expect(throws: TemplateError.self) { try rendered(#"{"a": {{#if query.x}}1{{/if}}}"#, as: .json) }
  }

  @Test func `template counters with different names count separately`() throws {
    var context = try makeContext()
    context.count = { name, start, step in name == "orders" ? start + step : -1 }
    let template = try Template(
      Array("{{counter orders}} {{counter orders start=10 step=5}} {{counter x}}".utf8), as: .text)
    #expect(try String(decoding: template.render(in: &context), as: UTF8.self) == "2 15 -1")
  }
}
