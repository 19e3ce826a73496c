import CassetteJSON
import CassetteSystem

// The macros of Swift Testing cannot take a span. These functions take an array.

func validate(_ bytes: [UInt8]) throws(JSONTextError) {
  try JSONScanner.validate(bytes.span)
}

func detect(_ bytes: [UInt8]) -> (JSONStyle, newline: Bool)? {
  JSONStyle.detect(bytes.span)
}

func decode(_ content: some Sequence<UInt8>) -> String? {
  let bytes = Array(content)
  return JSONString.decode(bytes.span)
}

func place(_ offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
  JSONPosition.of(offset, in: bytes.span)
}

extension JSONStyle {
  func rendered(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    render(bytes.span, into: &output)
    return output
  }
}
