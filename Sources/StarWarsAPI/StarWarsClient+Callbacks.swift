/// The members with callbacks, for code without `async` functions.
extension StarWarsClient {
  /// A function that loads a resource by its number and calls `done` with the result on any thread.
  public typealias Callback<Resource> =
    @Sendable (_ id: Int, _ done: @escaping @Sendable (Result<Resource, any Error>) -> Void) -> Void

  /// ``film`` with a callback: `client.getFilm(2) { result in … }`.
  public var getFilm: Callback<Film> {
    get { Self.callback(film) }
    set { film = Self.awaiting(newValue) }
  }
  /// ``person`` with a callback.
  public var getPerson: Callback<Person> {
    get { Self.callback(person) }
    set { person = Self.awaiting(newValue) }
  }
  /// ``planet`` with a callback.
  public var getPlanet: Callback<Planet> {
    get { Self.callback(planet) }
    set { planet = Self.awaiting(newValue) }
  }
  /// ``species`` with a callback.
  public var getSpecies: Callback<Species> {
    get { Self.callback(species) }
    set { species = Self.awaiting(newValue) }
  }
  /// ``starship`` with a callback.
  public var getStarship: Callback<Starship> {
    get { Self.callback(starship) }
    set { starship = Self.awaiting(newValue) }
  }
  /// ``vehicle`` with a callback.
  public var getVehicle: Callback<Vehicle> {
    get { Self.callback(vehicle) }
    set { vehicle = Self.awaiting(newValue) }
  }

  /// Creates a client from members with callbacks.
  ///
  /// Members that are nil fail, as in ``failing``.
  ///
  /// ```swift
  /// let client = StarWarsClient(getFilm: { _, done in done(.failure(URLError(.timedOut))) })
  /// ```
  public init(
    getFilm: Callback<Film>? = nil, getPerson: Callback<Person>? = nil, getPlanet: Callback<Planet>? = nil,
    getSpecies: Callback<Species>? = nil, getStarship: Callback<Starship>? = nil, getVehicle: Callback<Vehicle>? = nil
  ) {
    self.init()
    if let getFilm { self.getFilm = getFilm }
    if let getPerson { self.getPerson = getPerson }
    if let getPlanet { self.getPlanet = getPlanet }
    if let getSpecies { self.getSpecies = getSpecies }
    if let getStarship { self.getStarship = getStarship }
    if let getVehicle { self.getVehicle = getVehicle }
  }

  /// Runs an asynchronous function of the client, and calls back with the result on any thread.
  ///
  /// ```swift
  /// client.get({ try await $0.search(.planets, "hoth") }) { result in … }
  /// ```
  ///
  /// - Parameters:
  ///   - ask: The function, whose argument is this client.
  ///   - done: A closure that receives the result, which is a `CancellationError` if the task was cancelled before.
  /// - Returns: The task, which can be cancelled if the result is no longer needed.
  @discardableResult public func get<Value: Sendable>(
    _ ask: @escaping @Sendable (StarWarsClient) async throws -> Value,
    _ done: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) -> Task<Void, Never> {
    Task {
      do { done(.success(try await ask(self))) } catch { done(.failure(error)) }
    }
  }

  private static func callback<Resource: Sendable>(_ one: @escaping One<Resource>) -> Callback<Resource> {
    { id, done in
      Task {
        do { done(.success(try await one(id))) } catch { done(.failure(error)) }
      }
    }
  }

  private static func awaiting<Resource: Sendable>(_ get: @escaping Callback<Resource>) -> One<Resource> {
    { id in
      // Unlike a continuation, a stream permits callbacks that are called twice, or never before a cancellation.
      let answers = AsyncThrowingStream<Resource, any Error> { continuation in
        get(id) { result in
          continuation.yield(with: result)
          continuation.finish()
        }
      }
      for try await answer in answers { return answer }
      throw CancellationError()
    }
  }
}
