package import CassetteJSON

/// A way into JSON on which `[*]` stands for each element, and `..` for any way down: `$..password`, `$.a..b[*].c`.
package struct RedactionPath: Hashable, Sendable {
  private enum Step: Hashable {
    case one(JSONPath.Step)
    case each
    case descent
  }

  private let steps: [Step]
  /// The path as it was written.
  let text: String

  /// Reads a path; nil where it is none.
  package init?(_ text: String) {
    guard text.hasPrefix("$") else { return nil }
    self.text = text
    var steps: [Step] = []
    var rest = text.dropFirst()
    while !rest.isEmpty {
      if rest.hasPrefix("..") {
        steps.append(.descent)
        // `$..name` and `$..[0]` alike.
        rest = rest.dropFirst(rest.dropFirst(2).hasPrefix("[") ? 2 : 1)
      }
      if rest.hasPrefix("[*]") {
        steps.append(.each)
        rest = rest.dropFirst(3)
        continue
      }
      let step = Self.step(rest)
      guard let path = JSONPath("$" + step), path.steps.count == 1 else { return nil }
      steps.append(.one(path.steps[0]))
      rest = rest.dropFirst(step.count)
    }
    self.steps = steps
  }

  /// The first step of a text: up to what begins the next, which may stand within quotes as well.
  private static func step(_ text: Substring) -> Substring {
    var isInName = false
    var isEscaped = false
    for (index, character) in zip(text.indices, text).dropFirst() {
      if isEscaped {
        isEscaped = false
      } else if isInName, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isInName.toggle()
      } else if !isInName, character == "]" {
        return text[...index]
      } else if !isInName, character == "." || character == "[" {
        return text[..<index]
      }
    }
    return text
  }

  /// Tells whether a value lies at this path or below it.
  package func covers(_ path: [JSONPath.Step]) -> Bool {
    // How many steps of the path may be behind; after `..` it stays open where the next one begins.
    var behind: Set<Int> = [0]
    for actual in path {
      if behind.contains(steps.count) { return true }
      var next: Set<Int> = []
      for count in behind {
        let isOpen = steps[count] == .descent
        if isOpen { next.insert(count) }
        let step = count + (isOpen ? 1 : 0)
        if step < steps.count, Self.matches(steps[step], actual) { next.insert(step + 1) }
      }
      if next.isEmpty { return false }
      behind = next
    }
    return behind.contains(steps.count)
  }

  private static func matches(_ step: Step, _ actual: JSONPath.Step) -> Bool {
    switch (step, actual) {
    case (.one(let step), _): step == actual
    case (.each, .element): true
    case (.each, .member), (.descent, _): false
    }
  }
}
