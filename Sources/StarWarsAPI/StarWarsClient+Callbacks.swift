/// A client for code that waits for no `async` function: members that call back.
extension StarWarsClient {
  /// Asks for one resource by its number, and calls back with the result, on any thread.
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

  /// Creates a client of members that call back; those that are not given fail, as in ``failing``.
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

  /// Asks the client for anything it offers, and calls back with the result, on any thread.
  ///
  /// ```swift
  /// client.get({ try await $0.search(.planets, "hoth") }) { result in … }
  /// ```
  ///
  /// - Parameters:
  ///   - ask: Asks the client.
  ///   - done: Receives the outcome; `CancellationError` when the task was cancelled first.
  /// - Returns: The task, to be cancelled when nobody wants the answer any more.
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
      // A stream: one that is called back twice, or never and is cancelled, harms nobody.
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
