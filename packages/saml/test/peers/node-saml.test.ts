import { Browser, type ServiceProvider, startServiceProvider } from "@reeve/testkit/saml";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.js";

describe("an application built with node-saml", () => {
  let idp: IdentityProvider;
  let sp: ServiceProvider;
  let app: { readonly id: string };
  let browser: Browser;

  beforeAll(async () => {
    idp = await startIdentityProvider();
  });
  beforeEach(async () => {
    sp = await startServiceProvider();
    sp.trust(await idp.metadata());
    app = await idp.register(sp.registration);
    browser = new Browser();
    const { username, password } = idp.scene.owner;
    const page = await browser.open(sp.url);
    expect(page.html).toContain("Sign in");
    expect((await browser.submit(page, { username, password })).html).toBe(`Signed on as ${username}.`);
    expect(sp.sessions).toBe(1);
    return () => sp.stop();
  });
  afterAll(() => idp.stop());

  it("is logged out of by its own request, which ends the session here too", async () => {
    const back = await browser.open(`${sp.url}/logout`);
    expect(back).toMatchObject({ url: `${sp.url}/bye`, status: 200 });
    expect(await idp.sessionsOf(app.id)).toMatchObject([
      { endReason: "logged_out_by_application", confirmed: true, residualAccess: "none" },
    ]);
    expect((await browser.open(sp.url)).html).toContain("Sign in");
  });

  it("is logged out of through the browser, and brings its answer back", async () => {
    const page = await browser.submit(await browser.open(`${idp.baseUrl}/slo`), {});
    const [, frame = ""] = /<iframe src="([^"]+)"/.exec(page.html) ?? [];
    expect((await browser.open(frame.replaceAll("&amp;", "&"))).status).toBe(200);
    expect(sp.sessions).toBe(0);
    expect(await idp.sessionsOf(app.id)).toMatchObject([
      { endReason: "logged_out", channel: "browser", confirmed: true, residualAccess: "none" },
    ]);
  });

  it("is told from server to server when it is taken away, and lets nobody in again", async () => {
    expect(await idp.takeAway(app.id)).toMatchObject([
      { endReason: "access_revoked", channel: "server", confirmed: true, residualAccess: "none", failure: null },
    ]);
    expect(sp.sessions).toBe(0);
    expect((await browser.open(sp.url)).html).toContain("You may not use this application");
  });
});
