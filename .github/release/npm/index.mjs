// Runs the mockserver program and controls it: stubs, scenarios, verification, misses.
import { AssertionError } from "node:assert"
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { program } from "./program.mjs"

export { program }

const request = (line, json) => {
  const [method, url] = line.split(" ")
  return { method, url, ...(json === undefined ? {} : { body: { json } }) }
}

// The program suggests commands such as `mockserver record …`. npm installs it where only npx finds it.
const forNpx = text => text.replace(/(?<=: )mockserver (?=record|proxy|--)/g, "npx mockserver-swift ")

const explanation = miss => [
  miss.reason ?? `${miss.method} ${miss.url}: no answer`,
  ...(miss.nearest ?? []).flatMap(near => [
    `  near: ${near.request}  ("${near.id}", ${near.place})`,
    ...near.differs.map(difference => `    ${difference.words}`),
  ]),
  ...(miss.remedies ?? []).map((remedy, index) => `${index ? "  or" : "  To answer it,"} ${forNpx(remedy)}`),
].join("\n")

// The shell ends the server when its standard input is closed, which also happens if this process is killed.
const guard = '"$@" & exec >&- 2>&-; read -r _; kill $!; wait $!'

export class Session {
  #filter

  constructor(url, name = "", filter = { session: name }) {
    this.url = url
    this.name = name
    this.headers = name ? { "X-Mock-Session": name } : {}
    this.#filter = filter
  }

  async call(method, path, body) {
    const headers = { ...this.headers, "Content-Type": "application/json" }
    const answer = await fetch(`${this.url}/__mock/${path}`, { method, headers, body: body && JSON.stringify(body) })
    const told = await answer.json()
    if (answer.ok) return told
    const near = (told.nearest ?? []).map(near => `  near: ${near.request}\n    ${near.differs.join("\n    ")}`)
    throw new AssertionError({ message: [told.detail, ...near].join("\n") })
  }

  async stub(line, { json, text, status = 200, headers, ...more } = {}) {
    const body = text !== undefined ? { text } : json !== undefined ? { json } : undefined
    const response = { status, ...(headers && { headers: Object.entries(headers) }), ...(body && { body }) }
    return (await this.call("POST", "interactions", { request: request(line), response, ...more })).ids[0]
  }

  async verify(line, { json, ...more } = {}) {
    return (await this.call("POST", "verify", { request: request(line, json), ...more })).requests
  }

  async wait(line, { json, ...more } = {}) {
    return (await this.call("POST", "wait", { request: request(line, json), ...more })).requests
  }

  async scenario(name, state) {
    const path = `scenarios/${encodeURIComponent(name)}`
    return (await this.call(state ? "PUT" : "GET", path, state && { state })).state
  }

  async requests(filters = {}) {
    return (await this.call("GET", `journal?${new URLSearchParams({ ...this.#filter, ...filters })}`)).entries
  }

  async misses() {
    const entries = await this.requests({ outcome: "miss" })
    return Promise.all(entries.map(async entry => explanation(await this.call("GET", `journal/${entry.number}`))))
  }

  async check() {
    const misses = await this.misses()
    if (misses.length) throw new AssertionError({ message: misses.join("\n") })
  }

  async reset() {
    await this.call("POST", "reset", this.#filter)
  }
}

export class MockServer extends Session {
  #process
  #folder
  #ended

  constructor(url, process, ended, folder) {
    super(url, "", {})
    this.#process = process
    this.#ended = ended
    this.#folder = folder
  }

  static async start({ cassettes, options = [] } = {}) {
    const paths = cassettes === undefined ? [] : [cassettes].flat()
    const folder = paths.length ? undefined : mkdtempSync(join(tmpdir(), "mockserver-"))
    const served = (folder ? [folder] : paths).flatMap(path => ["--cassettes", path])
    return MockServer.#run(["serve", "--log", "none", ...served, ...options], folder)
  }

  static async recording({ upstream, cassette, options = [] }) {
    return MockServer.#run(["record", "--upstream", upstream, "--cassette", cassette, ...options])
  }

  static async #run(words, folder) {
    const process = spawn("sh", ["-c", guard, "-", program(), ...words, "--port", "0"])
    let output = ""
    process.stderr.on("data", data => { output += data })
    const ended = new Promise((resolve, reject) => {
      process.once("error", reject)
      process.once("close", () => resolve(output.trim()))
    })
    const lines = createInterface(process.stdout)
    const first = new Promise(resolve => lines.once("line", resolve).once("close", resolve))
    const line = await Promise.race([first, ended])
    const url = /^mockserver: listening on (\S+)/.exec(line)?.[1]
    if (!url) {
      process.stdin.end()
      if (folder) rmSync(folder, { recursive: true })
      throw new Error(forNpx(await ended) || `${program()} ended`)
    }
    // A server that is not stopped does not keep the process of the tests alive.
    for (const handle of [process, process.stdin, process.stdout, process.stderr]) handle.unref()
    return new MockServer(url, process, ended, folder)
  }

  session(name = randomUUID()) {
    return new Session(this.url, name)
  }

  async stop() {
    for (const handle of [this.#process, this.#process.stdout, this.#process.stderr]) handle.ref()
    this.#process.stdin.end()
    const output = await this.#ended
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true })
    return output
  }
}

const servers = new Map()

/** Resets and returns the server with these options, which all tests of this process share. */
async function shared(options = {}) {
  const key = JSON.stringify(options)
  if (!servers.has(key)) servers.set(key, MockServer.start(options))
  const server = await servers.get(key)
  await server.reset()
  return server
}

export async function mockserver(test, { misses = false, ...options } = {}) {
  const server = await shared(options)
  if (!misses) {
    test.after(async () => {
      const explanations = await server.misses()
      if (!explanations.length) return
      const message = explanations.join("\n")
      // If the test has already failed, node:test does not report the error of a hook.
      if (!test.passed) for (const line of message.split("\n")) test.diagnostic?.(line)
      throw new AssertionError({ message })
    })
  }
  return server
}

export function mockserverFixture({ misses = false, ...options } = {}) {
  return async ({}, use) => {
    const server = await shared(options)
    await use(server)
    if (!misses) await server.check()
  }
}
