/// The way in which exchanges are held to a specification.
public enum MockServerContractMode: String, Sendable, CaseIterable {
  /// A request that breaks the contract is refused; a recording that does is told of.
  case fail
  /// A break of the contract is told of, in the answer, the log and the journal, and changes nothing else.
  case note
  /// Nothing is held to it: the specification answers what recordings do not.
  case off
}
