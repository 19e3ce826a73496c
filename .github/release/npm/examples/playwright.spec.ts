// npx playwright test
import { expect, test as base } from "@playwright/test"
import { mockserverFixture, type MockServer } from "mockserver-swift"

const cassettes = new URL("cassettes", import.meta.url).pathname
const test = base.extend<{ mockserver: MockServer }>({ mockserver: mockserverFixture({ cassettes }) })

test("a page reads a recording", async ({ mockserver, page }) => {
  await page.goto(`${mockserver.url}/users/octocat`)
  await expect(page.locator("body")).toContainText("octocat")
})

test("the requests of a page are redirected to the server", async ({ mockserver, page }) => {
  await mockserver.stub("GET /users/octocat", { json: { login: "hubot" } })
  await page.goto(mockserver.url + "/users/octocat")
  await page.route("https://api.github.com/**", async route => {
    const url = new URL(route.request().url())
    await route.fulfill({ response: await route.fetch({ url: mockserver.url + url.pathname + url.search }) })
  })
  const login = await page.evaluate(async () => (await (await fetch("https://api.github.com/users/octocat")).json()).login)
  expect(login).toBe("hubot")
})
