/** A value of JSON. */
export type JSONValue = null | boolean | number | string | JSONValue[] | { [name: string]: JSONValue }

/** A request of the journal, as `GET /__mock/journal` lists it. */
export interface JournalEntry {
  number: number
  at: string
  method: string
  url: string
  status?: number
  outcome?: string
  session?: string
  headers?: [string, string][]
  [name: string]: unknown
}

/** An answer, and the `match` and `replay` of a cassette's interaction. */
export interface StubAnswer {
  /** The body as JSON. */
  json?: JSONValue
  /** The body as text. */
  text?: string
  /** The status; 200 by default. */
  status?: number
  headers?: Record<string, string>
  match?: { [name: string]: JSONValue }
  replay?: { [name: string]: JSONValue }
  /** True for a stub that a reset does not remove. */
  keep?: boolean
}

export interface ExpectedRequest {
  /** The body as JSON. */
  json?: JSONValue
  /** How often the request is expected; at least once by default. */
  times?: number | { atLeast?: number; atMost?: number }
  match?: { [name: string]: JSONValue }
}

/** The requests of one client, which sends `headers`: positions in cassettes, stubs and scenarios are its own. */
export class Session {
  constructor(url: string, name?: string)
  /** The address of the server, such as `http://127.0.0.1:40321`. */
  readonly url: string
  readonly name: string
  /** The header fields that a client of this session sends; none for the session without a name. */
  readonly headers: Record<string, string>
  /** Calls `/__mock/PATH`; rejects with the explanation if the status is an error. */
  call(method: string, path: string, body?: unknown): Promise<any>
  /** Adds an answer before all recordings of a request, such as "GET /users/kean", and returns the stub's id. */
  stub(request: string, answer?: StubAnswer): Promise<string>
  /** Returns the received requests like this one; rejects, with the nearest, if `times` differs. */
  verify(request: string, expected?: ExpectedRequest): Promise<JournalEntry[]>
  /** Returns once the request was received, or rejects after `seconds`, 5 by default. */
  wait(request: string, expected?: ExpectedRequest & { seconds?: number }): Promise<JournalEntry[]>
  /** Brings a scenario into a state, if one is given, and returns its state. */
  scenario(name: string, state?: string): Promise<string>
  /** Returns the requests, the oldest first, filtered as `/__mock/journal` does: `{ outcome: "miss" }`. */
  requests(filters?: Record<string, string>): Promise<JournalEntry[]>
  /** Returns an explanation of each request that nothing answered. */
  misses(): Promise<string[]>
  /** Rejects with the explanations if nothing answered some requests. */
  check(): Promise<void>
  /** Resets positions, scenarios, stubs and journal. */
  reset(): Promise<void>
}

export interface ServerOptions {
  /** A folder, a file or a list of them; without cassettes only stubs answer. */
  cassettes?: string | string[]
  /** Further options of the command, such as `["--openapi", "api.yaml"]`. */
  options?: string[]
}

export interface FixtureOptions extends ServerOptions {
  /** True if requests that nothing answers do not fail the test. */
  misses?: boolean
}

/** A server on a free port of this machine. Its requests and misses are those of all sessions. */
export class MockServer extends Session {
  private constructor()
  /** Starts a server that answers from cassettes and stubs. */
  static start(options?: ServerOptions): Promise<MockServer>
  /** Starts a server that asks `upstream` and records the answers; `stop()` writes the cassette. */
  static recording(options: { upstream: string; cassette: string; options?: string[] }): Promise<MockServer>
  /** Returns a session of its own, for clients that send its `headers`. */
  session(name?: string): Session
  /** Stops the server and returns what the program reported. */
  stop(): Promise<string>
}

/**
 * Returns a server for one test of `node:test`, reset before the test. Requests that nothing answered fail the test.
 * All tests of a file with the same options share one server.
 */
export function mockserver(test: { after(hook: () => Promise<void>): void }, options?: FixtureOptions): Promise<MockServer>

/** Returns the same as a fixture of Vitest or Playwright: `test.extend({ mockserver: mockserverFixture() })`. */
export function mockserverFixture(
  options?: FixtureOptions
): (fixtures: {}, use: (server: MockServer) => Promise<void>) => Promise<void>

/** Returns the path of the program for this machine. */
export function program(): string
