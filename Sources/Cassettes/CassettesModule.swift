/// An empty type, which products re-export to make the members of this module's types visible.
///
/// The import does not add the names of the types to those of the product (SE-0444).
public enum CassettesModule {}
