// npx vitest run
import { expect, test as base } from "vitest"
import { mockserverFixture, type MockServer } from "mockserver-swift"

const cassettes = new URL("cassettes", import.meta.url).pathname
const test = base.extend<{ mockserver: MockServer }>({ mockserver: mockserverFixture({ cassettes }) })

test("a recording answers", async ({ mockserver }) => {
  const answer = await fetch(`${mockserver.url}/users/octocat`)
  expect((await answer.json()).login).toBe("octocat")
})

test("a stub takes precedence over the recording", async ({ mockserver }) => {
  await mockserver.stub("GET /users/octocat", { status: 503 })
  expect((await fetch(`${mockserver.url}/users/octocat`)).status).toBe(503)
  await mockserver.verify("GET /users/octocat", { times: 1 })
})
