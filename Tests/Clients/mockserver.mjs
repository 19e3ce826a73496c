// A mock server for node:test: each test has a session of its own. Copy it beside your tests.
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { createInterface } from "node:readline"
import { AssertionError } from "node:assert"

const request = (line, json) => {
  const [method, url] = line.split(" ")
  return { method, url, ...(json === undefined ? {} : { body: { json } }) }
}

export class Mock {
  session = randomUUID()
  headers = { "X-Mock-Session": this.session } // what the client under test has to send

  constructor(url) { this.url = url }

  async call(method, path, body) {
    const headers = { ...this.headers, "Content-Type": "application/json" }
    const answer = await fetch(`${this.url}/__mock/${path}`, { method, headers, body: body && JSON.stringify(body) })
    const told = await answer.json()
    if (answer.ok) return told
    const near = (told.nearest ?? []).map(near => `  near: ${near.request}\n    ${near.differs.join("\n    ")}`)
    throw new AssertionError({ message: [told.detail, ...near].join("\n") })
  }

  /** Answers `GET /a` from now on; `match` and `replay` as in a cassette. */
  async stub(line, { json, status = 200, ...more } = {}) {
    const response = { status, ...(json === undefined ? {} : { body: { json } }) }
    return (await this.call("POST", "interactions", { request: request(line), response, ...more })).ids[0]
  }

  async verify(line, { json, ...more } = {}) {
    return (await this.call("POST", "verify", { request: request(line, json), ...more })).requests
  }

  async wait(line, { json, ...more } = {}) {
    return (await this.call("POST", "wait", { request: request(line, json), ...more })).requests
  }

  async scenario(name, state) {
    return (await this.call(state ? "PUT" : "GET", `scenarios/${name}`, state && { state })).state
  }
}

/** Starts a server; `mock(test)` gives each test its session, and `stop()` ends the server. */
export async function start(cassettes, command = process.env.MOCKSERVER ?? "mockserver") {
  const options = ["--port", "0", "--log", "none", "--cassettes", cassettes]
  const server = spawn(command, options, { stdio: ["ignore", "pipe", "inherit"] })
  const line = await new Promise(resolve => createInterface(server.stdout).once("line", resolve))
  const url = line.split(" ")[3]
  const mock = test => {
    const mock = new Mock(url)
    test.after(() => mock.call("POST", "reset", { session: mock.session }))
    return mock
  }
  return { url, mock, stop: () => server.kill() }
}
