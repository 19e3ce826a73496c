/// An empty type: products re-export it to make the members of this module's types available to their users.
public enum MockServerWireModule {}
