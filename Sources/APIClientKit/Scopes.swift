/// A scope with the permissions of guests.
///
/// Custom protocols refine it for scopes with more permissions.
///
/// ```swift
/// protocol AdminScope: CustomerScope {}
/// enum Admin: AdminScope {}
/// extension Endpoint where Scope: AdminScope, Response == [User] {
///   static var users: Self { Endpoint(.get("/users")) }              // for scopes with the permissions of admins
/// }
/// ```
/// Guests, customers and admins may send an endpoint that is declared with `where Scope: GuestScope`.
public protocol GuestScope {}
/// A scope with the permissions of customers, which include those of guests.
public protocol CustomerScope: GuestScope {}

/// The scope of users who have not signed in.
public enum Guest: GuestScope {}
/// The scope of users who have signed in.
public enum Customer: CustomerScope {}
