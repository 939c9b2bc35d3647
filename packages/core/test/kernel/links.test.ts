import { pathOf, sampleOf, table, type World, withQuery } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import { effectOf } from "#kernel/operation/operation.js";
import { eventTypes, isProviders, recordsOf } from "../helpers/facts.js";
import { createWorld } from "../helpers/world.js";

const FROM_ELSEWHERE = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", origin: "https://evil.example" };
const FORM = "application/x-www-form-urlencoded";
/** What its sender has signed, or was given for this, proves that it is meant. */
const PROVEN = [
  "sso.signOn",
  "saml.ssoRedirect",
  "saml.ssoPost",
  "saml.signInPage",
  "saml.logoutRedirect",
  "saml.logoutPost",
  "slo.message",
];

const ofTenants = table.filter((operation) => !isProviders(operation) && !sampleOf(operation).elsewhere);
const gets = ofTenants.filter(({ id, method }) => method === "GET" && !PROVEN.includes(id));
const posts = ofTenants.filter(
  ({ id, method, access }) => method === "POST" && access !== "public" && !PROVEN.includes(id),
);

/** What a browser knows somebody by and adds to every request: the cookie of the pages, or what a host goes by. */
const BROWSERS: Readonly<Record<string, () => Promise<{ world: World; headers: Record<string, string> }>>> = {
  "the cookie of the pages": async () => {
    const world = await createWorld();
    const { username, password } = world.a.owner;
    const bytes = new URLSearchParams({ username, password }).toString();
    const signedIn = await world.send("POST", "/saml/sign-in", { bytes, headers: { "content-type": FORM } });
    return { world, headers: { cookie: String(signedIn.headers["set-cookie"]).split(";")[0] as string } };
  },
  "a cookie of the host": async () => {
    let owner: { tenantId: string; userId: string } | undefined;
    const authenticate = async ({ headers }: { headers: object }) =>
      "cookie" in headers && owner ? { ...owner, username: "owner@acme.example", roles: ["owner"] } : undefined;
    const world = await createWorld({ authenticate: authenticate as never });
    owner = { tenantId: world.a.tenantId, userId: world.a.owner.userId };
    return { world, headers: { cookie: "host=1" } };
  },
};

describe.each(Object.entries(BROWSERS))("with %s in a browser", (_who, open) => {
  it("a link on a page of another site changes nothing, whichever operation it leads to", async () => {
    const { world, headers } = await open();
    const changed: string[] = [];
    // A tenant's key is made at its first use, whoever that is.
    await world.send("GET", `/saml/metadata?tenant=${world.a.tenantId}`);
    for (const operation of gets) {
      const params = (await sampleOf(operation).arrange?.(world.a)) ?? {};
      const [before, events] = [await recordsOf(world.a), (await eventTypes(world.a)).length];
      const target = withQuery(pathOf(operation, params, world.a), "");
      await world.send("GET", target, { headers: { accept: "text/html", ...headers, ...FROM_ELSEWHERE } });
      if (operation.proof !== "record" && (await eventTypes(world.a)).length > events) changed.push(operation.id);
      const after = await recordsOf(world.a);
      // Calls of before are counted in memory, and written down when somebody looks.
      const names = Object.keys(after).filter(
        (name) => name !== "connector_traffic" && String(after[name]) !== String(before[name]),
      );
      changed.push(...names.map((name) => `${operation.id}: ${name}`));
    }
    expect(changed).toEqual([]);
  });

  it("a form on a page of another site is refused, whichever operation it leads to", async () => {
    const { world, headers } = await open();
    const taken: string[] = [];
    for (const operation of posts.filter((one) => effectOf(one) !== "read")) {
      const params = (await sampleOf(operation).arrange?.(world.a)) ?? {};
      for (const type of [FORM, undefined]) {
        const sent = { ...headers, ...FROM_ELSEWHERE, ...(type ? { "content-type": type } : {}) };
        const { status } = await world.send("POST", pathOf(operation, params, world.a), { headers: sent, bytes: "" });
        if (![401, 403].includes(status)) taken.push(`${operation.id}: ${status}`);
      }
    }
    expect(taken).toEqual([]);
  });
});

it("each GET that does more than read says what shows that its sender means it", () => {
  const acting = table.filter((operation) => operation.method === "GET" && effectOf(operation) !== "read");
  expect(Object.fromEntries(acting.map(({ id, proof }) => [id, proof]))).toEqual({
    "accessUsage.export": "record",
    "forwardAuth.ask": "authorization",
    "openid.callback": "nonce",
    "saml.logoutRedirect": "message",
    "saml.signInPage": "message",
    "saml.ssoRedirect": "message",
    "slo.own": "authorization",
    "sso.signOn": "nonce",
  });
});
