// node --test
import assert from "node:assert/strict"
import { test } from "node:test"
import { mockserver } from "mockserver-swift"

const cassettes = new URL("cassettes", import.meta.url).pathname

test("a recording answers", async t => {
  const server = await mockserver(t, { cassettes })
  const answer = await fetch(`${server.url}/users/octocat`)
  assert.equal((await answer.json()).login, "octocat")
})

test("a stub takes precedence over the recording", async t => {
  const server = await mockserver(t, { cassettes })
  await server.stub("GET /users/octocat", { status: 503 })
  assert.equal((await fetch(`${server.url}/users/octocat`)).status, 503)
  await server.verify("GET /users/octocat", { times: 1 })
})
