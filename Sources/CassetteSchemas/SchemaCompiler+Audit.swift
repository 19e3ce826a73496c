internal import CassetteJSON

/// Compiling all schemas of a document to find their problems.
extension SchemaCompiler {
  /// Compiles the schemas at some places, and notes all problems of them and of all that they lead to.
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

  /// The schema without the keyword of a problem; nil if the problem is not in one of its keywords.
  func without(_ problem: JSONSchema.Problem, _ value: JSONTree.Node, _ pointer: String) -> JSONTree.Node? {
    guard problem.pointer.hasPrefix(pointer + "/"), case .object(let members) = value.kind else { return nil }
    let keyword = problem.pointer.dropFirst(pointer.count + 1).prefix { $0 != "/" }
    let rest = members.filter { SchemaPointer.escaped($0.text) != keyword }
    guard rest.count < members.count else { return nil }
    var other = value
    other.kind = .object(rest)
    return other
  }

  /// Notes a problem in an audit, else throws it.
  mutating func note(_ problem: JSONSchema.Problem) throws(JSONSchema.Problem) {
    guard isAudit else { throw problem }
    problems.append(problem)
  }
}
