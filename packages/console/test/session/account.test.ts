import { passkeyEngine } from "@reeve/passkeys";
import {
  CHROMIUM,
  expectAccessible,
  type RunningChromium,
  startChromium,
  type Visitor,
  visit,
} from "@reeve/testkit/browser";
import { livingPlane } from "@reeve/testkit/living-estate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedConsole, servedConsole, signIn } from "../served-console.js";

/** Passkeys are of a name; an address of numbers has none. */
const named = (origin: string) => origin.replace("127.0.0.1", "localhost");

describe.skipIf(!CHROMIUM.path)(`one's own account in a browser${CHROMIUM.note}`, () => {
  let chromium: RunningChromium;
  let served: ServedConsole<Awaited<ReturnType<typeof livingPlane>>>;
  beforeAll(async () => {
    const make = ({ baseUrl, ...config }: Parameters<typeof livingPlane>[0] & object) =>
      livingPlane({ ...config, baseUrl: named(baseUrl ?? ""), passkeys: passkeyEngine() });
    [chromium, served] = await Promise.all([startChromium(), servedConsole("fastify", make)]);
  });
  afterAll(async () => {
    await chromium?.stop();
    await served?.close();
  });

  /** Gives the browser an authenticator of its own, as a phone or a laptop has one. */
  const withAuthenticator = async ({ page }: Visitor) => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    const options = {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
    } as const;
    const more = { isUserVerified: true, automaticPresenceSimulation: true };
    await devtools.send("WebAuthn.addVirtualAuthenticator", { options: { ...options, ...more } });
  };

  it("adds a passkey by keyboard alone, keeps the recovery codes, and signs in with it", async () => {
    const { operator } = served.plane.estate.staff;
    await visit(chromium.browser, { origin: named(served.origin) }, async (visitor) => {
      const { page, keyboard, expectStatus } = visitor;
      await withAuthenticator(visitor);
      expectStatus(401);
      await page.goto("/console/account");
      await signIn(page, operator);
      await page.getByRole("table", { name: "Browsers you are signed in with" }).waitFor();
      await page.getByText("this one").waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", "Add a passkey");
      await page.getByRole("heading", { name: "Keep your recovery codes" }).waitFor();
      expect(await page.locator("code").count()).toBe(10);
      await expectAccessible(page);
      await keyboard.activate("button", "I have kept them");
      await page.getByRole("button", { name: "Remove Passkey" }).waitFor();
      await keyboard.activate("button", "Sign out");
      await keyboard.fill("textbox", "E-mail address", operator.username);
      await keyboard.fill("textbox", "Password", operator.password);
      await keyboard.activate("button", "Sign in");
      await page.getByRole("button", { name: "Use a passkey" }).waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", "Use a passkey");
      await page.getByRole("navigation", { name: "Areas" }).waitFor();
    });
    const { items } = await served.plane.estate.staff.auditor.do("GET", `/api/v1/ai/activity/${operator.id}`);
    const signedIn = items.find(({ type }: { type: string }) => type.includes("user.signed_in"));
    expect(signedIn.data.factor).toBe("passkey");
  });
});
