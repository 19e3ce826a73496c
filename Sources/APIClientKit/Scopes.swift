/// A scope that may do what guests may; a protocol of yours refines it for a scope that may do more.
///
/// ```swift
/// protocol AdminScope: CustomerScope {}
/// enum Admin: AdminScope {}
/// extension Endpoint where Scope: AdminScope, Response == [User] {
///   static var users: Self { Endpoint(.get("/users")) }              // for admins, and whoever else may do that
/// }
/// ```
/// An endpoint of `where Scope: GuestScope` is one that guests, customers and admins may ask.
public protocol GuestScope {}
/// A scope that may do what customers may, and guests.
public protocol CustomerScope: GuestScope {}

/// The scope of users who have not signed in.
public enum Guest: GuestScope {}
/// The scope of users who have signed in.
public enum Customer: CustomerScope {}
