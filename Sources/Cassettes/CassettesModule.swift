/// An empty type for products to re-export, which makes the members of this module's types available to their users.
public enum CassettesModule {}
