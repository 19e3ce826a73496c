import CassetteHTTP
import CassetteJSON
import CassetteRecording
import Cassettes
import TestSupport
import Testing

/// Encodings of a secret, mostly without a name next to the secret.
private enum Encoding: CaseIterable {
  case raw, percent, lowerPercent, everyByte, twice, base64, base64URL, base64Within, json, jsonUnicode, jsonTwice, form

  func encode(_ secret: String, _ random: inout Seeded) -> String {
    switch self {
    case .raw: return secret
    case .percent: return percentEncoded(secret)
    case .lowerPercent: return percentEncoded(secret, digits: "0123456789abcdef")
    case .everyByte: return percentEncoded(secret, all: true)
    case .twice: return percentEncoded(percentEncoded(secret))
    case .base64: return CassetteRecordingTests.base64(secret)
    case .base64URL:
      return CassetteRecordingTests.base64(secret).replacing("+", with: "-").replacing("/", with: "_").replacing(
        "=", with: "")
    case .base64Within:
      let before = String(repeating: "x", count: Int.random(in: 0..<5, using: &random))
      return CassetteRecordingTests.base64(
        Array(before.utf8) + (Bool.random(using: &random) ? [0xff] : []) + secret.utf8 + [0x21])
    case .json: return content(secret)
    case .jsonUnicode:
      return secret.utf16.map {
        "\\u" + String(repeating: "0", count: 4 - String($0, radix: 16).count) + String($0, radix: 16)
      }
      .joined()
    case .jsonTwice: return content(content(secret))
    case .form: return percentEncoded(secret).replacing("%20", with: "+")
    }
  }

  private func content(_ text: String) -> String {
    String(String(decoding: JSONString.encode(text), as: UTF8.self).dropFirst().dropLast())
  }
}

private func percentEncoded(_ text: String, digits: String = "0123456789ABCDEF", all: Bool = false) -> String {
  let digits = Array(digits)
  var encoded = ""
  for byte in text.utf8 {
    let character = Character(Unicode.Scalar(byte))
    if !all, byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
      encoded.append(character)
    } else {
      encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
  }
  return encoded
}

private func boundary(_ random: inout Seeded) -> String {
  [" ", "/", "\"", "&", ",", ">", "\n", ""].randomElement(using: &random) ?? ""
}

/// Returns the decodings of bytes, computed without the code under test.
private func readings(_ bytes: [UInt8], depth: Int = 0) -> [[UInt8]] {
  var all = [bytes]
  guard depth < 3 else { return all }
  let percent = unescaped(bytes, mark: UInt8(ascii: "%"), length: 3)
  let json = withoutBackslashes(bytes)
  let plus = bytes.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
  for reading in [percent, json] where reading != bytes { all += readings(reading, depth: depth + 1) }
  if depth < 2, plus != bytes { all.append(unescaped(plus, mark: UInt8(ascii: "%"), length: 3)) }
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  for run in bytes.split(whereSeparator: { !alphabet.contains($0) && $0 != 0x2d && $0 != 0x5f }) where run.count >= 8 {
    let values = run.map { $0 == 0x2d ? 62 : $0 == 0x5f ? 63 : alphabet.firstIndex(of: $0) ?? 0 }
    for shift in 0..<4 {
      let bits = values.dropFirst(shift).map { UInt8($0) }
      var decoded: [UInt8] = []
      for start in stride(from: bits.startIndex, to: bits.endIndex, by: 4) {
        let group = bits[start..<min(start + 4, bits.endIndex)] + [0, 0, 0]
        let word = group.prefix(4).reduce(0) { $0 << 6 | UInt32($1) }
        decoded += [
          UInt8(truncatingIfNeeded: word >> 16), UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: word),
        ]
      }
      all.append(decoded)
    }
  }
  return all
}

private func unescaped(_ bytes: [UInt8], mark: UInt8, length: Int) -> [UInt8] {
  var output: [UInt8] = []
  var at = 0
  while at < bytes.count {
    if bytes[at] == mark, at + length <= bytes.count,
      let byte = UInt8(String(decoding: bytes[(at + length - 2)..<(at + length)], as: UTF8.self), radix: 16)
    {
      output.append(byte)
      at += length
    } else {
      output.append(bytes[at])
      at += 1
    }
  }
  return output
}

private func withoutBackslashes(_ bytes: [UInt8]) -> [UInt8] {
  var output: [UInt8] = []
  var at = 0
  while at < bytes.count {
    guard bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count else {
      output.append(bytes[at])
      at += 1
      continue
    }
    if bytes[at + 1] == UInt8(ascii: "u"), at + 6 <= bytes.count,
      let unit = UInt32(String(decoding: bytes[(at + 2)..<(at + 6)], as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(unit)
    {
      output += String(Character(scalar)).utf8
      at += 6
    } else {
      let plain: [UInt8: UInt8] = [0x6e: 10, 0x74: 9, 0x72: 13]
      output.append(plain[bytes[at + 1]] ?? bytes[at + 1])
      at += 2
    }
  }
  return output
}

@Suite struct SecretLeakTests {
  @Test(arguments: 0..<8)
  func `a planted secret is not in any written file in any encoding`(_ seed: Int) throws {
    var random = Seeded(UInt64(seed) * 31 + 5)
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~+/=%&\"\\ é:")
    var secrets: [String] = []
    for index in 0..<Int.random(in: 1...4, using: &random) {
      var secret = "s\(index)"
      for _ in 0..<Int.random(in: 5...30, using: &random) {
        secret.append(letters.randomElement(using: &random) ?? "x")
      }
      secrets.append(secret + "z")
    }
    let folder = try ScratchFolder()
    let recording = Recording(into: Cassette(name: "leak"))
    func send(
      _ url: String, _ headers: HTTPHeaders, _ body: [UInt8], _ outcome: Interaction.Outcome
    ) throws {
      let target = try #require(HTTPTarget(url), "\(url)")
      let request = HTTPRequest(method: .post, target: target, headers: headers, body: body)
      let token = recording.begin(request, origin: "https://api.example.com")
      switch outcome {
      case .response(let response): recording.finish(token, response)
      case .failure(let failure): recording.finish(token, failure)
      }
    }
    var plants: [() throws -> Void] = []
    for secret in secrets {
      plants.append { [source = Int.random(in: 0..<12, using: &random)] in try plant(secret, source) }
    }
    for _ in 0..<Int.random(in: 4...12, using: &random) {
      let secret = secrets.randomElement(using: &random) ?? ""
      func encoded(_ allowed: (Encoding) -> Bool = { _ in true }) -> String {
        let encoding = Encoding.allCases.filter(allowed).randomElement(using: &random) ?? .percent
        return encoding.encode(secret, &random)
      }
      let url = { (text: String) in text.contains { " \"\\#é".contains($0) } ? percentEncoded(text) : text }
      let path = "/x\(url(encoded()))/y?q=\(url(encoded()))&r=1"
      let headers: HTTPHeaders = ["X-Any": "a\(encoded())", "Referer": "https://x/\(url(encoded()))"]
      let text = "before\(boundary(&random))\(encoded())\(boundary(&random))after \(encoded())"
      let kind = Int.random(in: 0..<6, using: &random)
      plants.append {
        let bytes = Array(text.utf8)
        switch kind {
        case 0:
          let cut = bytes.count / 2
          let chunks = [BodyChunk(bytes: Array(bytes[..<cut])), BodyChunk(after: 0.1, bytes: Array(bytes[cut...]))]
          try send(
            path, headers, bytes, .response(RecordedResponse(status: 200, headers: headers, body: .chunks(chunks))))
        case 1:
          let long = bytes + Array(repeating: UInt8(ascii: "."), count: 66_000) + bytes
          try send(path, headers, bytes, .response(RecordedResponse(status: 200, body: .storing(long))))
        case 2:
          let binary = [0, 1, 2, 255] + bytes + Array(repeating: 0, count: 5_000)
          try send(path, headers, binary, .response(RecordedResponse(status: 200, body: .storing(binary))))
        case 3: try send(path, headers, bytes, .failure(RecordedFailure(code: -1, name: "odd \(secret)")))
        case 4:
          let json = Array("{\"a\":".utf8) + JSONString.encode(text) + Array(",\"n\":1.0}".utf8)
          try send(path, headers, json, .response(RecordedResponse(status: 200, body: .storing(json))))
        default:
          let reason = text.filter { $0 != "\n" }
          try send(path, headers, [], .response(RecordedResponse(status: 200, reason: reason, headers: headers)))
        }
      }
    }
    func plant(_ secret: String, _ source: Int) throws {
      var url = "/login"
      var headers: HTTPHeaders = []
      var body = ""
      var response: HTTPHeaders = []
      var answer = ""
      switch source {
      case 0: headers = ["Authorization": "Bearer \(secret)"]
      case 1: headers = ["Authorization": "Basic \(base64("octocat:\(secret)"))"]
      case 2: headers = ["Cookie": "a=1; sid=\(percentEncoded(secret))"]
      case 3: response = ["Set-Cookie": "sid=\(percentEncoded(secret)); Path=/"]
      case 4: headers = ["X-Api-Key": secret]
      case 5: url = "/login?api_key=\(percentEncoded(secret))"
      case 6:
        headers = ["Content-Type": "application/x-www-form-urlencoded"]
        body = "user=kean&password=\(percentEncoded(secret).replacing("%20", with: "+"))"
      case 7: answer = "{\"access_token\":\(String(decoding: JSONString.encode(secret), as: UTF8.self))}"
      case 8: response = ["Location": "https://x.example.com/cb?state=1&code=\(percentEncoded(secret))"]
      case 9:
        headers = ["Content-Type": "multipart/form-data; boundary=bb"]
        body = "--bb\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n--bb--\r\n"
      case 10:
        let inner = "{\"client_secret\":\(String(decoding: JSONString.encode(secret), as: UTF8.self))}"
        answer = "{\"inner\":\(String(decoding: JSONString.encode(inner), as: UTF8.self))}"
      default:
        headers = [
          "X-State": base64("{\"refresh_token\":\(String(decoding: JSONString.encode(secret), as: UTF8.self))}")
        ]
      }
      try send(
        url, headers, Array(body.utf8),
        .response(RecordedResponse(status: 200, headers: response, body: .storing(Array(answer.utf8)))))
    }
    for plant in plants.shuffled(using: &random) { try plant() }
    try recording.save(to: folder.path("leak.json"))

    var texts: [(String, [UInt8])] = []
    for file in folder.files { texts.append((file, try #require(folder.bytes(file)))) }
    // The played bodies are searched, too, because base64 in a cassette is split into lines.
    for interaction in try CassetteFile.read(path: folder.path("leak.json")).interactions {
      if let body = try interaction.requestBody?.bytes() { texts.append(("request of \(interaction.id)", body)) }
      if let body = try interaction.responseBody?.bytes() { texts.append(("response of \(interaction.id)", body)) }
    }
    #expect(texts.count > 1)
    for (name, bytes) in texts {
      for reading in readings(bytes) {
        for secret in secrets { #expect(!contains(reading, Array(secret.utf8)), "\(name) has \(secret)") }
      }
    }
  }

  private func contains(_ bytes: [UInt8], _ secret: [UInt8]) -> Bool {
    guard bytes.count >= secret.count else { return false }
    for at in 0...bytes.count - secret.count where bytes[at] == secret[0] && bytes[at + 1] == secret[1] {
      if bytes[at..<at + secret.count].elementsEqual(secret) { return true }
    }
    return false
  }
}
