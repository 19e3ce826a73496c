internal import CassetteJSON

/// Compiles all schemas of a document and collects their errors.
extension SchemaCompiler {
  /// Compiles the schemas at the given pointers, and records all errors in them and in the schemas they refer to.
  mutating func audit(at pointers: [String]) {
    for pointer in pointers {
      do throws(JSONSchema.Problem) {
        guard let names = SchemaPointer.names(of: pointer) else { continue }
        _ = try schema(at: names, from: 0, tree.root, pointer: "#\(pointer)")
        try compilePending()
      } catch {
        problems.append(error)
      }
    }
    do throws(JSONSchema.Problem) { try refuseCircles() } catch { problems.append(error) }
  }

  /// Returns the schema without the keyword that caused an error, or nil if no keyword of the schema caused it.
  func without(_ problem: JSONSchema.Problem, _ value: JSONTree.Node, _ pointer: String) -> JSONTree.Node? {
    guard problem.pointer.hasPrefix(pointer + "/"), case .object(let members) = value.kind else { return nil }
    let keyword = problem.pointer.dropFirst(pointer.count + 1).prefix { $0 != "/" }
    let rest = members.filter { SchemaPointer.escaped($0.text) != keyword }
    guard rest.count < members.count else { return nil }
    var other = value
    other.kind = .object(rest)
    return other
  }

  /// Records an error during an audit; throws it otherwise.
  mutating func note(_ problem: JSONSchema.Problem) throws(JSONSchema.Problem) {
    guard isAudit else { throw problem }
    problems.append(problem)
  }
}
