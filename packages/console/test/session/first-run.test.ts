import { createPlane } from "@reeve/testkit";
import { CHROMIUM, expectAccessible, type RunningChromium, startChromium, visit } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedConsole, servedConsole } from "../served-console.js";

describe.skipIf(!CHROMIUM.path)(`the first run${CHROMIUM.note}`, () => {
  let chromium: RunningChromium;
  let served: ServedConsole<ReturnType<typeof createPlane>>;
  beforeAll(async () => {
    [chromium, served] = await Promise.all([
      startChromium(),
      servedConsole("fastify", async (config) => createPlane({ ...config, registration: "open" })),
    ]);
  });
  afterAll(async () => {
    await chromium?.stop();
    await served?.close();
  });

  it("makes the first organisation by keyboard alone, shows the way, and signs out", async () => {
    await visit(
      chromium.browser,
      { origin: served.origin, width: "phone" },
      async ({ page, keyboard, expectStatus }) => {
        expectStatus(401);
        await page.goto("/console");
        await page.getByRole("heading", { name: "Welcome to Reeve" }).waitFor();
        await expectAccessible(page);
        await keyboard.fill("textbox", "Organisation", "Acme");
        await keyboard.fill("textbox", "Your name", "Ada");
        await keyboard.fill("textbox", "E-mail address", "ada@acme.example");
        await keyboard.fill("textbox", "Password", "short");
        expectStatus(400, 422);
        await keyboard.press("Enter");
        await page.getByRole("alert").waitFor();
        await keyboard.fill("textbox", "Password", "violet tram at noon");
        await keyboard.press("Enter");
        await page.getByRole("heading", { name: "First steps of Acme" }).waitFor();
        await page.getByText("none yet").first().waitFor();
        await expectAccessible(page);
        await keyboard.activate("button", "Sign out");
        await page.getByRole("heading", { name: "Sign in to Reeve" }).waitFor();
      },
    );
  });

  it("comes once: who opens the page after it finds the sign-in", async () => {
    await visit(chromium.browser, { origin: served.origin }, async ({ page, expectStatus }) => {
      expectStatus(401);
      await page.goto("/console/inbox");
      await page.getByRole("heading", { name: "Sign in to Reeve" }).waitFor();
      expect(await page.getByText("There is no organisation yet").count()).toBe(0);
    });
  });

  it("does not tell whether a server that is closed is empty", async () => {
    const closed = await servedConsole("express", async (config) => createPlane({ ...config, registration: "closed" }));
    const config = await (await fetch(`${closed.origin}/console/config.json`)).json();
    expect(config).toMatchObject({ registration: "closed", isEmpty: false });
    await closed.close();
  });
});
