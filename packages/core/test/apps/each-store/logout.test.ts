import { samlEngine } from "@reeve/saml";
import { type Actor, logoutMessage, type NewApp, newApp, newSignOn, providerKey, type World } from "@reeve/testkit";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventTypes } from "../../helpers/facts.js";
import { createWorld } from "../../helpers/world.js";

let world: World;
let certificates: string[];
beforeAll(async () => {
  world = await createWorld();
  certificates = [(await providerKey()).certificate];
});

let caller: Actor;
let app: NewApp;
beforeEach(async () => {
  caller = await world.a.newUser(["member"]);
  app = await newApp(world.a, { certificates });
});

type Reported = Omit<Parameters<typeof logoutMessage>[2], "nameId"> & { readonly nameId?: string };

/** Sends a logout request of the application by redirect. */
async function send(notified: Reported, from: Pick<NewApp, "entityId"> = app, scene = world.a) {
  const message = await logoutMessage(scene, from, { nameId: caller.username, ...notified });
  const query = message.binding === "redirect" ? message.query : "";
  return world.send("GET", `/saml/slo?${query}`);
}

const ended = async (before: number) =>
  (await eventTypes(world.a, before)).filter((type) => type === "saml.session.ended").length;
const count = async () => (await eventTypes(world.a)).length;

describe("a logout that an application asks for", () => {
  it("ends its session and those of the same person elsewhere, and is answered", async () => {
    const { sessionIndex } = await newSignOn(world.a, caller, app);
    const other = await newApp(world.a, { certificates, sloBinding: "redirect" });
    await newSignOn(world.a, caller, other);
    const somebody = await world.a.newUser(["member"]);
    await newSignOn(world.a, somebody, other);
    const before = await count();
    const { status, text, headers } = await send({ sessionIndex });
    expect(status).toBe(200);
    // The other application answers within its frame, before the browser goes on to the one that asked.
    expect(headers["content-security-policy"]).toContain(`frame-src 'self' ${new URL(other.entityId).origin};`);
    expect(text).toContain("setTimeout(function(){document.forms[0].submit()},3000)");
    expect(text).toContain('name="SAMLResponse"');
    expect(text).toMatch(/<iframe src="https:\/\/[^"]+\/slo\?SAMLRequest=/);
    expect(await ended(before)).toBe(2);
  });

  it("counts once", async () => {
    const { sessionIndex } = await newSignOn(world.a, caller, app);
    const message = await logoutMessage(world.a, app, { sessionIndex, nameId: caller.username });
    const target = `/saml/slo?${message.binding === "redirect" ? message.query : ""}`;
    expect((await world.send("GET", target)).status).toBe(200);
    await newSignOn(world.a, caller, app);
    const before = await count();
    expect((await world.send("GET", target)).json).toMatchObject({ code: "saml_invalid", refusal: "replayed" });
    expect(await eventTypes(world.a, before)).toEqual(["saml.message.refused"]);
  });

  it("is refused where the application takes no answer, and that is on record", async () => {
    app = await newApp(world.a, { certificates, sloUrl: null });
    const { sessionIndex } = await newSignOn(world.a, caller, app);
    const before = await count();
    expect((await send({ sessionIndex })).json).toMatchObject({ code: "saml_invalid", refusal: "recipient_mismatch" });
    expect(await eventTypes(world.a, before)).toEqual(["saml.message.refused"]);
    const { json } = await world.send("GET", "/api/v1/saml-apps/health", { token: world.a.owner.token });
    expect(json.items.find(({ id }: { id: string }) => id === app.id)).toMatchObject({
      ...{ failures: 1, lastFailure: "recipient_mismatch" },
    });
  });

  it("is signed by either certificate while the application changes its own, and by the old one no longer", async () => {
    const next = await samlEngine().newKey("next", world.clock.now(), 30);
    const setTo = (some: readonly string[]) =>
      world.send("PUT", `/api/v1/saml-apps/${app.id}`, {
        token: world.a.owner.token,
        body: { certificates: some },
      });
    const signedBy = async (key?: typeof next) => {
      const { sessionIndex } = await newSignOn(world.a, caller, app);
      return send({ sessionIndex, ...(key ? { key } : {}) });
    };
    expect((await signedBy(next)).json).toMatchObject({ code: "saml_invalid", refusal: "signature_invalid" });
    const both = [...certificates, next.certificate];
    expect((await setTo(both)).json.signingCertificates).toHaveLength(2);
    expect([(await signedBy()).status, (await signedBy(next)).status]).toEqual([200, 200]);
    expect((await setTo([next.certificate])).json.signingCertificates).toHaveLength(1);
    expect((await signedBy()).json).toMatchObject({ code: "saml_invalid", refusal: "signature_invalid" });
    expect((await signedBy(next)).status).toBe(200);
  });

  it.each<[string, (notified: { sessionIndex: string }) => Promise<{ json: unknown }>, string]>([
    ["of somebody else", (notified) => send({ ...notified, nameId: world.a.owner.username }), "session_unknown"],
    ["of an unknown session", () => send({ sessionIndex: "_sams_x" }), "session_unknown"],
    ["at another endpoint", (notified) => send({ ...notified, destination: "sso" }), "destination_mismatch"],
    [
      "of another application",
      async (notified) => send(notified, await newApp(world.a, { certificates })),
      "session_unknown",
    ],
    [
      "of an application without a certificate",
      async (notified) => send(notified, await newApp(world.a)),
      "signature_unverifiable",
    ],
    [
      "of another tenant",
      async (notified) => send(notified, await newApp(world.b, { certificates }), world.b),
      "session_unknown",
    ],
    [
      "of nobody that is registered",
      (notified) => send(notified, { entityId: "https://nobody.example" }),
      "issuer_mismatch",
    ],
  ])("%s is refused and ends nothing", async (_whose, forged, refusal) => {
    const notified = await newSignOn(world.a, caller, app);
    const before = await count();
    expect((await forged(notified)).json).toMatchObject({ code: "saml_invalid", refusal });
    expect(await ended(before)).toBe(0);
  });

  it("without its signature or with another is refused", async () => {
    const { sessionIndex } = await newSignOn(world.a, caller, app);
    const message = await logoutMessage(world.a, app, { sessionIndex, nameId: caller.username });
    const query = message.binding === "redirect" ? message.query : "";
    const bare = query
      .split("&")
      .filter((part) => !/^(?:SigAlg|Signature)=/.test(part))
      .join("&");
    const bent = query.replace(/Signature=./, (start) => (start.endsWith("A") ? "Signature=B" : "Signature=A"));
    for (const [sent, refusal] of [
      [bare, "signature_missing"],
      [bent, "signature_invalid"],
    ])
      expect((await world.send("GET", `/saml/slo?${sent}`)).json).toMatchObject({ code: "saml_invalid", refusal });
    expect((await world.send("GET", `/saml/slo?${query}`)).status).toBe(200);
  });
});

describe("a logout that a person asks for", () => {
  it("ends all of their sessions, tells each application, and nobody else's", async () => {
    const other = await newApp(world.a, { sloUrl: null });
    const byRedirect = await newApp(world.a, { sloBinding: "redirect" });
    const byServer = await newApp(world.a, { sloSoapUrl: "https://sp.example/soap" });
    for (const one of [app, other, byRedirect, byServer]) await newSignOn(world.a, caller, one);
    await newSignOn(world.a, world.a.owner, app);
    const before = await count();
    const { json } = await world.send("GET", "/slo", { token: caller.token });
    const notified = Object.fromEntries(json.items.map((one: { appId: string }) => [one.appId, one]));
    const url = expect.stringContaining("/slo?SAMLRequest=");
    // Nobody sends a form in a frame, so that the binding by POST alone tells nobody.
    expect(notified).toMatchObject({
      [app.id]: { notified: false, byServer: false, url: null },
      [other.id]: { notified: false, byServer: false, url: null },
      [byRedirect.id]: { notified: true, byServer: false, url },
      [byServer.id]: { notified: false, byServer: true, url: null },
    });
    expect(await ended(before)).toBe(4);
    expect((await world.send("GET", "/slo", { token: caller.token })).json.items).toEqual([]);
  });

  it("finds twenty sessions at an application at most, because the oldest end with the next sign-on", async () => {
    const indexes: string[] = [];
    for (let at = 0; at < 22; at += 1) indexes.push((await newSignOn(world.a, caller, app)).sessionIndex);
    const somebody = await world.a.newUser(["member"]);
    await newSignOn(world.a, somebody, app);
    const path = `/api/v1/saml-apps/${app.id}/sessions?size=100`;
    const { json } = await world.send("GET", path, { token: world.a.owner.token });
    const gone = json.items.filter(({ state }: { state: string }) => state === "ended");
    expect(new Set(gone.map((one: { sessionIndex: string }) => one.sessionIndex))).toEqual(
      new Set(indexes.slice(0, 2)),
    );
    for (const { endReason } of gone) expect(endReason).toBe("too_many_sessions");
    const before = await count();
    expect((await world.send("GET", "/slo", { token: caller.token })).json.items).toHaveLength(20);
    expect(await ended(before)).toBe(20);
  });
});
