import { openidSignIn } from "@reeve/openid";
import { createPlane } from "@reeve/testkit";
import { CHROMIUM, expectAccessible, type RunningChromium, startChromium, visit } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedConsole, servedConsole, signIn } from "../served-console.js";
import { type RunningProvider, startProvider } from "./openid-provider.js";

const ada = { username: "ada@acme.example", password: "violet tram at noon" };
const person = (name: string) => ({ email: `${name}@acme.example`, email_verified: true, name });

describe.skipIf(!CHROMIUM.path)(`sign-in by an OpenID provider in a browser${CHROMIUM.note}`, () => {
  let chromium: RunningChromium;
  let provider: RunningProvider;
  let served: ServedConsole<ReturnType<typeof createPlane>>;
  beforeAll(async () => {
    const make = async (config: { readonly baseUrl?: string }) => {
      const callback = `${config.baseUrl}/api/v1/auth/openid/callback`;
      provider = await startProvider({ ada: person("ada"), grace: person("grace") }, callback);
      const { issuer } = provider;
      const plane = createPlane({
        ...config,
        clock: { now: () => Date.now() },
        egressAllow: ["localhost"],
        trustedIssuers: [{ issuer, audience: "https://reeve.example/api", tenant: "acme", usernameClaim: "email" }],
        openid: openidSignIn([
          { name: "acme", label: "Sign in with Acme", issuer, clientId: "reeve", clientSecret: "a secret of a test" },
        ]),
      });
      await plane.send("POST", "/api/v1/register", { body: { organization: "Acme", subdomain: "acme", ...ada } });
      return plane;
    };
    [chromium, served] = await Promise.all([startChromium(), servedConsole("fastify", make)]);
  });
  afterAll(async () => {
    await chromium?.stop();
    await served?.close();
    await provider?.stop();
  });

  it("goes to the provider and back to the wanted page by keyboard, shows the session, and signs out", async () => {
    const { origin, plane } = served;
    await visit(
      chromium.browser,
      { origin, leadsTo: [provider.issuer], width: "phone" },
      async ({ page, keyboard, expectStatus }) => {
        expectStatus(401);
        await page.goto("/console/account");
        await page.getByRole("link", { name: "Sign in with Acme" }).waitFor();
        await expectAccessible(page);
        await keyboard.activate("link", "Sign in with Acme");
        await page.getByRole("heading", { name: "Who are you?" }).waitFor();
        await keyboard.activate("link", "ada");
        await page.getByRole("table", { name: "Browsers you are signed in with" }).waitFor();
        expect(new URL(page.url()).pathname).toBe("/console/account");
        await page.getByText(provider.issuer).waitFor();
        await page.getByText("this one").waitFor();
        await expectAccessible(page);
        await keyboard.activate("button", "Sign out");
        await page.getByRole("heading", { name: "Sign in to Reeve" }).waitFor();
      },
    );
    const { json } = await plane.send("POST", "/api/v1/auth/signin", { body: ada });
    const { token, user } = json;
    const sessions = await plane.send("GET", "/api/v1/auth/sessions", { token });
    expect(sessions.json.items).toEqual([]);
    const { items } = (await plane.send("GET", `/api/v1/ai/activity/${user.id}`, { token })).json;
    const [, left, came] = items.map(({ type, data }: { type: string; data: object }) => ({ type, data }));
    expect(left.type).toContain("session.ended");
    expect(came.type).toContain("user.signed_in");
    expect(came.data).toMatchObject({ issuer: provider.issuer, subject: "ada", factor: null });
  });

  it("says in words why somebody was not signed in", async () => {
    const { origin } = served;
    await visit(chromium.browser, { origin, leadsTo: [provider.issuer] }, async ({ page, keyboard, expectStatus }) => {
      expectStatus(401);
      await page.goto("/console");
      await keyboard.activate("link", "Sign in with Acme");
      await keyboard.activate("link", "nobody");
      await page.getByText("You or your organisation's sign-in service refused.").waitFor();
      await expectAccessible(page);
      await keyboard.activate("link", "Sign in with Acme");
      await keyboard.activate("link", "grace");
      await page.getByText("named nobody who may come in here").waitFor();
      await signIn(page, { id: "", name: "", ...ada });
      expect(page.url()).not.toContain("refused");
    });
  });
});
