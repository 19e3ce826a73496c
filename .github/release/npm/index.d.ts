/** A JSON value. */
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

/** The answer of a stub, with `match` and `replay` in the format of a cassette. */
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
  /** The expected number of requests; at least one by default. */
  times?: number | { atLeast?: number; atMost?: number }
  match?: { [name: string]: JSONValue }
}

/** A session, with its own positions in cassettes, stubs and scenarios. Its clients send `headers`. */
export class Session {
  constructor(url: string, name?: string)
  /** The address of the server, such as `http://127.0.0.1:40321`. */
  readonly url: string
  readonly name: string
  /** The header fields that a client of this session sends; none for the session without a name. */
  readonly headers: Record<string, string>
  /** Calls `/__mock/PATH` and returns its answer. Rejects with the explanation for an error status. */
  call(method: string, path: string, body?: unknown): Promise<any>
  /** Adds an answer to a request, such as "GET /users/kean", that takes precedence over recordings. Returns the stub's id. */
  stub(request: string, answer?: StubAnswer): Promise<string>
  /** Returns the received requests that match. Rejects with the nearest requests if their number is not `times`. */
  verify(request: string, expected?: ExpectedRequest): Promise<JournalEntry[]>
  /** Returns when the request has been received, or rejects after `seconds`, 5 by default. */
  wait(request: string, expected?: ExpectedRequest & { seconds?: number }): Promise<JournalEntry[]>
  /** Sets the state of a scenario if `state` is given, and returns its state. */
  scenario(name: string, state?: string): Promise<string>
  /** Returns the requests, the oldest first. `filters` are those of `/__mock/journal`: `{ outcome: "miss" }`. */
  requests(filters?: Record<string, string>): Promise<JournalEntry[]>
  /** Returns an explanation of each request without an answer. */
  misses(): Promise<string[]>
  /** Rejects with the explanations if there were requests without an answer. */
  check(): Promise<void>
  /** Resets positions, scenarios, stubs and journal. */
  reset(): Promise<void>
}

export interface ServerOptions {
  /** A folder, a file or a list of them. Without cassettes, only stubs answer. */
  cassettes?: string | string[]
  /** Additional options of the command, such as `["--openapi", "api.yaml"]`. */
  options?: string[]
}

export interface FixtureOptions extends ServerOptions {
  /** True if requests without an answer do not fail the test. */
  misses?: boolean
}

/** A server on a free loopback port. `requests()` and `misses()` include all sessions. */
export class MockServer extends Session {
  private constructor()
  /** Starts a server that answers from cassettes and stubs. */
  static start(options?: ServerOptions): Promise<MockServer>
  /** Starts a server that forwards requests to `upstream` and records them; `stop()` writes the cassette. */
  static recording(options: { upstream: string; cassette: string; options?: string[] }): Promise<MockServer>
  /** Returns a new session for clients that send its `headers`. */
  session(name?: string): Session
  /** Stops the server and returns the program's messages. */
  stop(): Promise<string>
}

/**
 * Resets and returns a server for one test of `node:test`. Requests without an answer fail the test. All tests of a file
 * with the same options share one server.
 */
export function mockserver(
  test: { after(hook: () => Promise<void>): void; diagnostic?(message: string): void },
  options?: FixtureOptions
): Promise<MockServer>

/** Returns a fixture for Vitest or Playwright: `test.extend({ mockserver: mockserverFixture() })`. */
export function mockserverFixture(
  options?: FixtureOptions
): (fixtures: {}, use: (server: MockServer) => Promise<void>) => Promise<void>

/** Returns the path of the program for this machine. */
export function program(): string
