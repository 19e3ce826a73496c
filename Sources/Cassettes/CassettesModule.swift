/// An empty type that products re-export, so that their users can access the members of this module's types.
public enum CassettesModule {}
