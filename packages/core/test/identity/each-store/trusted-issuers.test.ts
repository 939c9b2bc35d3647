import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { type Answer, createPlane, type Scene, type World } from "@reeve/testkit";
import type { JWK, JWTPayload } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import type { TrustedIssuer } from "../../../src/index.js";
import { Issuer } from "../../helpers/issuer.js";
import { encoded } from "../../helpers/token-forge.js";
import { createWorld } from "../../helpers/world.js";

const AUDIENCE = "https://reeve.example/api";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT = "urn:ietf:params:oauth:token-type:jwt";

let issuer: Issuer;
let plane: World;
let a: Scene;
let b: Scene;
const setUp = async (more: Partial<TrustedIssuer> = {}, options: Parameters<typeof createWorld>[0] = {}) => {
  issuer = await Issuer.start();
  const trusted = { issuer: issuer.url, audience: AUDIENCE, tenantClaim: "org", usernameClaim: "email", ...more };
  plane = await createWorld({ trustedIssuers: [trusted], egressAllow: ["127.0.0.1"], ...options });
  ({ a, b } = plane);
};

const now = () => Math.floor(plane.clock.now() / 1_000);
const claims = (more: JWTPayload = {}): JWTPayload => ({
  iss: issuer.url,
  aud: AUDIENCE,
  sub: "somebody there",
  iat: now(),
  exp: now() + 600,
  org: a.tenantId,
  email: a.actors.operator.username,
  email_verified: true,
  ...more,
});
const without = (name: string) => Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name));
const ask = (token: string): Promise<Answer> => plane.send("GET", "/api/v1/ai-assets", { token });
const status = async (token: string) => (await ask(token)).status;

async function subdomainOf(scene: Scene): Promise<string> {
  const tenants = collections.find(({ name }) => name === "tenants") as (typeof collections)[number];
  const rows = await plane.store.forTenant(scene.tenantId).scan(tenants, { size: 1 });
  return rows.map(({ value }) => (value as unknown as { readonly subdomain: string }).subdomain).join();
}

describe("a token of a trusted issuer", () => {
  beforeEach(() => setUp());

  it("stands for the user it names, with the roles of that user here", async () => {
    const token = await issuer.sign(claims());
    const made = await plane.send("POST", "/api/v1/ai-assets", { token, body: {} });
    expect(made.json).toMatchObject({ createdBy: a.actors.operator.userId });
    expect((await plane.send("POST", "/api/v1/users", { token, body: {} })).json.code).toBe("permission_denied");
    expect(await status(await issuer.sign(claims({ org: await subdomainOf(a) })))).toBe(200);
    expect(await status(await issuer.sign(claims({ email: a.actors.operator.username.toUpperCase() })))).toBe(200);
    for (const typ of ["JWT", "jwt", "at+jwt", "application/at+jwt"])
      expect(await status(await issuer.sign(claims({ azp: AUDIENCE }), { typ }))).toBe(200);
    expect(await status(await issuer.sign(claims({ aud: ["https://other.example", AUDIENCE] })))).toBe(200);
  });

  it.each<[string, () => string | Promise<string>]>([
    ["another audience", () => issuer.sign(claims({ aud: "https://other.example" }))],
    ["an issuer that is not trusted", () => issuer.sign(claims({ iss: "https://evil.example" }))],
    ["our own issuer name", () => issuer.sign(claims({ iss: "https://reeve.example", aud: "https://reeve.example" }))],
    ["another key of the same name", async () => (await stranger()).sign(claims())],
    ["an unknown key", () => issuer.sign(claims(), { kid: "unknown" })],
    ["no signature", () => `${encoded({ alg: "none" })}.${encoded(claims())}.`],
    ["HS256 keyed with the public key", () => hmac(JSON.stringify(issuer.keys[0]))],
    ["an unknown critical header", () => issuer.sign(claims(), { crit: ["x"], x: 1 }).catch(() => "a.b.c")],
    ["claims changed under the signature", async () => bent(await issuer.sign(claims()))],
    ["not valid yet", () => issuer.sign(claims({ nbf: now() + 61 }))],
    ["issued in the future", () => issuer.sign(claims({ iat: now() + 61 }))],
    ["a life of more than a day", () => issuer.sign(claims({ exp: now() + 86_401 }))],
    ...["iss", "aud", "sub", "iat", "exp", "org", "email"].map(
      (name) => [`no ${name}`, () => issuer.sign(without(name))] as [string, () => Promise<string>],
    ),
    ["a subject that is no text", () => issuer.sign(claims({ sub: 7 as never }))],
    ["an expiry that is no number", () => issuer.sign(claims({ exp: "soon" as never }))],
    ["a tenant that is no text", () => issuer.sign(claims({ org: [a.tenantId] }))],
    ["an unknown tenant", () => issuer.sign(claims({ org: "nobody" }))],
    ["the platform's own tenant", () => issuer.sign(claims({ org: "platform" }))],
    ["a tenant that never was", () => issuer.sign(claims({ org: a.tenantId.replace(/.$/, "Z") }))],
    ["a user of another tenant", () => issuer.sign(claims({ email: b.owner.username }))],
    ["another tenant than the user's", () => issuer.sign(claims({ org: b.tenantId }))],
    ["a party that is not the audience", () => issuer.sign(claims({ azp: "another-client" }))],
    ["a party that is no text", () => issuer.sign(claims({ azp: [AUDIENCE] as never }))],
    ["a logout token", () => issuer.sign(claims(), { typ: "logout+jwt" })],
    ["an address that is not verified", () => issuer.sign(claims({ email_verified: false }))],
    ["an address of which nothing is said", () => issuer.sign(without("email_verified"))],
    ["a verification that is no truth value", () => issuer.sign(claims({ email_verified: "true" }))],
    ["an unknown user", () => issuer.sign(claims({ email: "nobody@example.test" }))],
    ["a user name that is no text", () => issuer.sign(claims({ email: { a: 1 } }))],
  ])("is refused with %s", async (_what, make) => {
    const { status: code, json } = await ask(await make());
    expect([code, json.code]).toEqual([401, "invalid_token"]);
  });

  const stranger = async () => {
    const other = await Issuer.start();
    other.keys = issuer.keys.map((key) => ({ ...key }));
    return other;
  };
  const hmac = (secret: string) => {
    const signed = `${encoded({ alg: "HS256", kid: "first" })}.${encoded(claims())}`;
    return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
  };
  const bent = (token: string) => {
    const [header, , signature] = token.split(".");
    return [header, encoded(claims({ email: a.owner.username })), signature].join(".");
  };

  it("S17 stands for the user it was first linked to, whatever address it names later", async () => {
    const actor = async (more: JWTPayload) => {
      const token = await issuer.sign(claims(more));
      const made = await plane.send("POST", "/api/v1/ai-assets", { token, body: {} });
      return made.json.createdBy ?? made.json.code;
    };
    const { userId, username } = a.actors.operator;
    expect(await actor({ sub: "olga" })).toBe(userId);
    expect(await actor({ sub: "olga", email: "olga@elsewhere.test" })).toBe(userId);
    expect(await actor({ sub: "olga", email: a.owner.username })).toBe(userId);
    expect(await actor({ sub: "olga", email_verified: false })).toBe(userId);
    // The issuer has reassigned the address to another subject.
    expect(await actor({ sub: "olaf", email: username })).toBe("invalid_token");
    const { items } = (
      await plane.send("GET", "/api/v1/ai/activity?type=user.identity_linked", { token: a.owner.token })
    ).json;
    expect(items.map(({ data }: { data: unknown }) => data)).toMatchObject([
      { entity: { id: userId }, issuer: issuer.url, subject: "olga" },
    ]);
  });

  it("is linked once by racing requests", async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, async (_none, n) => status(await issuer.sign(claims({ jti: `r${n}` })))),
    );
    expect(all).toEqual(Array(8).fill(200));
    const reported = await plane.send("GET", "/api/v1/ai/activity?type=user.identity_linked", { token: a.owner.token });
    expect(reported.json.items).toHaveLength(1);
  });

  it("is linked again once its user is removed and made anew", async () => {
    expect(await status(await issuer.sign(claims()))).toBe(200);
    const { userId, username } = a.actors.operator;
    const as = { token: a.owner.token };
    expect((await plane.send("DELETE", `/api/v1/users/${userId}`, as)).status).toBe(204);
    expect(await status(await issuer.sign(claims({ email: username })))).toBe(401);
    const body = { username, password: "a pass phrase that is long", roles: ["operator"] };
    expect((await plane.send("POST", "/api/v1/users", { ...as, body })).status).toBe(201);
    expect(await status(await issuer.sign(claims({ sub: "successor", email: username })))).toBe(200);
  });

  it("stands for another user of the same name in each tenant", async () => {
    const { username } = a.actors.operator;
    const body = { username, password: "a pass phrase that is long", roles: ["auditor"] };
    const { json } = await plane.send("POST", "/api/v1/users", { token: b.owner.token, body });
    const principal = async (org: string) => {
      const token = await issuer.sign(claims({ org }));
      const page = await plane.send("GET", "/api/v1/ai/activity?type=user.identity_linked", { token });
      return [page.status, page.json.items?.map((event: { subject: string }) => event.subject)];
    };
    expect(await principal(b.tenantId)).toEqual([200, [json.id]]);
    expect(await status(await issuer.sign(claims()))).toBe(200);
  });

  it("ends with its expiry and the leeway, for those who have seen it too", async () => {
    const token = await issuer.sign(claims());
    expect(await status(token)).toBe(200);
    plane.clock.advance(659_999);
    expect(await status(token)).toBe(200);
    plane.clock.advance(1);
    expect((await ask(token)).json.code).toBe("token_expired");
  });

  it("ends with a sign-out here, in whatever spelling, and no other does", async () => {
    const [token, other] = [await issuer.sign(claims()), await issuer.sign(claims({ jti: "another" }))];
    expect((await plane.send("POST", "/api/v1/auth/signout", { token })).status).toBe(204);
    expect([await status(token), await status(again(token)), await status(other)]).toEqual([401, 401, 200]);
    expect(await status(token)).toBe(401);
  });

  /** The same claims with the other valid ECDSA signature. */
  const again = (token: string) => {
    const [header, payload, signature = ""] = token.split(".");
    const bytes = Buffer.from(signature, "base64url");
    const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
    const s = order - BigInt(`0x${bytes.subarray(32).toString("hex")}`);
    const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, "0"), "hex")]);
    return `${header}.${payload}.${other.toString("base64url")}`;
  };

  it("dies with the very next request when the user is disabled", async () => {
    const token = await issuer.sign(claims());
    expect(await status(token)).toBe(200);
    const { userId } = a.actors.operator;
    await plane.send("PATCH", `/api/v1/users/${userId}`, { token: a.owner.token, body: { status: "disabled" } });
    expect(await status(token)).toBe(401);
  });

  it("is told as inactive by introspection, and left alone by revocation: it is not ours", async () => {
    const token = await issuer.sign(claims());
    const reported = await plane.send("POST", "/api/v1/auth/introspect", {
      body: { token },
      headers: { authorization: `Bearer ${a.owner.token}` },
    });
    expect(reported.json).toEqual({ active: false });
    expect((await plane.send("POST", "/api/v1/auth/revoke", { body: { token } })).status).toBe(200);
    expect(await status(token)).toBe(200);
  });
});

describe("S17 an issuer that was set up further", () => {
  it("vouches for its user names", async () => {
    await setUp({ usernamesVerified: true });
    expect(await status(await issuer.sign(without("email_verified")))).toBe(200);
  });

  it("says nothing of another claim than its address", async () => {
    await setUp({ usernameClaim: "login" });
    const { username } = a.actors.operator;
    expect(await status(await issuer.sign(claims({ login: username, email: "mallory@evil.test" })))).toBe(401);
    expect(await status(await issuer.sign(claims({ login: username })))).toBe(200);
  });

  it("names the clients and the kinds of token it has", async () => {
    await setUp({ authorizedParties: ["spa", "cli"], tokenTypes: ["at+jwt"] });
    const send = async (more: JWTPayload, typ: string) => status(await issuer.sign(claims(more), { typ }));
    expect(await send({ azp: "cli" }, "application/at+JWT")).toBe(200);
    expect(await send({ azp: AUDIENCE }, "at+jwt")).toBe(401);
    expect(await send({ azp: "spa" }, "JWT")).toBe(401);
  });
});

describe("roles that the issuer names", () => {
  beforeEach(() => setUp({ rolesClaim: "roles" }));
  const mayWrite = async (token: string) => (await plane.send("POST", "/api/v1/ai-assets", { token, body: {} })).status;

  it("are names of roleMap, which may contain spaces", async () => {
    await setUp({ rolesClaim: "roles" }, { roleMap: { "AI Operators": ["operator"], Operators: ["auditor"] } });
    expect(await mayWrite(await issuer.sign(claims({ roles: "AI Operators" })))).toBe(201);
    expect(await mayWrite(await issuer.sign(claims({ roles: ["AI Operators"] })))).toBe(201);
    for (const roles of ["Operators AI", "Operators", "AI", "toString"])
      expect([roles, await mayWrite(await issuer.sign(claims({ roles })))]).toEqual([roles, 403]);
  });

  it("take the place of those the user has here, and unknown ones give nothing", async () => {
    expect(await mayWrite(await issuer.sign(claims({ roles: ["operator"] })))).toBe(201);
    expect(await mayWrite(await issuer.sign(claims({ roles: "auditor operator" })))).toBe(201);
    for (const roles of [["auditor"], ["made-up"], [], [7, null], undefined, { operator: true }, "__proto__"]) {
      expect([roles, await mayWrite(await issuer.sign(claims({ roles })))]).toEqual([roles, 403]);
    }
  });

  it("let in whoever the issuer knows and Reeve does not, always under the same id", async () => {
    const stranger = (sub: string) => claims({ sub, email: `${sub}@example.test`, roles: ["operator"] });
    const made = async (sub: string) => {
      const token = await issuer.sign(stranger(sub));
      return (await plane.send("POST", "/api/v1/ai-assets", { token, body: {} })).json.createdBy;
    };
    const id = await made("eve");
    expect(id).toMatch(/^ext_[0-9a-f]{32}$/);
    expect([await made("eve"), (await made("adam")) === id]).toEqual([id, false]);
    // A user of another tenant counts as unknown, and a user of this one is not linked without verification.
    expect(await status(await issuer.sign({ ...stranger("eve"), email: b.owner.username }))).toBe(200);
    expect(
      await status(await issuer.sign({ ...stranger("eve"), email: a.owner.username, email_verified: false })),
    ).toBe(401);
  });

  it("S3 let nobody approve under an account what they have asked for before they had one", async () => {
    const email = "eve@example.test";
    const token = (jti: string) => issuer.sign(claims({ jti, sub: "eve", email, roles: ["admin"] }));
    const assetId = await a.newAsset({}, a.actors.operator);
    const govern = (body: object, who: string) =>
      plane.send("PATCH", `/api/v1/ai-assets/${assetId}/governance-state`, { token: who, body });
    const asked = await govern({ status: "under_review" }, await token("before"));
    expect(asked.json.requestedBy).toMatch(/^ext_/);
    const account = { username: email, password: "a pass phrase for Eve 1", roles: ["approver"] };
    const { id } = (await plane.send("POST", "/api/v1/users", { token: a.owner.token, body: account })).json;
    const approved = await govern({ status: "approved", reason: "because a test wants it so" }, await token("after"));
    expect([approved.status, approved.json.code]).toEqual([403, "self_approval_forbidden"]);
    expect(approved.json.detail).toContain(`is an earlier id of ${id}`);
  });

  it("do not bring back a disabled user", async () => {
    const { userId } = a.actors.operator;
    await plane.send("PATCH", `/api/v1/users/${userId}`, { token: a.owner.token, body: { status: "disabled" } });
    expect(await mayWrite(await issuer.sign(claims({ roles: ["operator"] })))).toBe(401);
  });
});

describe("the issuer's keys", () => {
  beforeEach(() => setUp());

  it("are read once for many, and again when they are ten minutes old", async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, n) => issuer.sign(claims({ jti: `t${n}` }))));
    expect(new Set(await Promise.all(tokens.map(status)))).toEqual(new Set([200]));
    expect(issuer.asked).toBe(2);
    plane.clock.advance(10 * MINUTE - 1);
    expect(await status(await issuer.sign(claims()))).toBe(200);
    expect(issuer.asked).toBe(2);
    plane.clock.advance(1);
    expect(await status(await issuer.sign(claims()))).toBe(200);
    expect(issuer.asked).toBe(4);
  });

  it("are read again for a new key, and an old one counts until then", async () => {
    const old = await issuer.sign(claims({ exp: now() + 3_600 }));
    expect(await status(old)).toBe(200);
    await issuer.renewKey("second");
    plane.clock.advance(30_000);
    expect(await status(old)).toBe(200);
    expect(await status(await issuer.sign(claims()))).toBe(200);
    expect(await status(old)).toBe(401);
  });

  it("are not read again for made-up keys more than twice a minute", async () => {
    expect(await status(await issuer.sign(claims()))).toBe(200);
    for (let round = 0; round < 3; round += 1) {
      const flood = Array.from({ length: 30 }, (_, n) => issuer.sign(claims(), { kid: `${round} ${n}` }));
      expect(new Set(await Promise.all((await Promise.all(flood)).map(status)))).toEqual(new Set([401]));
      expect(issuer.asked).toBe(2 + 2 * round);
      plane.clock.advance(30_000);
    }
  });

  it("are used for a day while the issuer is down, and 503 after that", async () => {
    const token = await issuer.sign(claims({ exp: now() + 86_400 }));
    expect(await status(token)).toBe(200);
    issuer.broken = true;
    plane.clock.advance(24 * HOUR - 1);
    expect(await status(await issuer.sign(claims()))).toBe(200);
    plane.clock.advance(1);
    const answer = await ask(await issuer.sign(claims()));
    expect([answer.status, answer.json.code, answer.headers["retry-after"]]).toEqual([503, "issuer_unavailable", "30"]);
    issuer.broken = false;
    plane.clock.advance(30_000);
    expect(await status(await issuer.sign(claims()))).toBe(200);
  });

  it("are not there yet when the issuer starts later", async () => {
    issuer.broken = true;
    const token = await issuer.sign(claims());
    expect((await ask(token)).json.code).toBe("issuer_unavailable");
    issuer.broken = false;
    expect(await status(token)).toBe(503);
    plane.clock.advance(5_000);
    expect(await status(token)).toBe(200);
    expect((await ask(a.owner.token)).status).toBe(200);
  });

  it("count beside odd, weak and foreign ones, none of which verifies a token", async () => {
    const [good] = issuer.keys as [JWK];
    const weak = generateKeyPairSync("rsa", { modulusLength: 1_024 });
    const shown = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const secret = Buffer.from("a secret that the issuer shares with its clients").toString("base64url");
    const odd: unknown[] = [
      null,
      "first",
      { kty: 7 },
      { kty: "oct", kid: "shared", k: secret, alg: "HS256" },
      { kty: "AKP", kid: "later", alg: "ML-DSA-44", pub: "AAAA", use: "sig" },
      { ...weak.publicKey.export({ format: "jwk" }), kid: "weak", alg: "RS256", use: "sig" },
      { ...shown.privateKey.export({ format: "jwk" }), kid: "shown", alg: "ES256", use: "sig" },
      { kty: "RSA", kid: "sealing", alg: "RSA-OAEP", use: "enc", n: "AQAB", e: "AQAB" },
      { kty: "EC", crv: "P-256", kid: "half", x: "AA" },
      { ...good, kid: 1 },
    ];
    // As Keycloak has them: a chain, its digest, and `null` for what it does not say.
    const usual = { ...good, x5c: "MIIC", "x5t#S256": 3, x5t: null, ext: "true", key_ops: null };
    issuer.keys = [...odd, usual] as JWK[];
    issuer.metadata = { scopes_supported: "openid", claims_supported: [7], userinfo_endpoint: null, mtls: [[]] };
    expect(await status(await issuer.sign(claims(), { kid: "first" }))).toBe(200);
    expect(await status(await issuer.sign(claims(), { kid: undefined }))).toBe(200);
    const signedBy = (alg: string, kid: string, sign: (text: Buffer) => Buffer) => {
      const text = `${encoded({ alg, kid })}.${encoded(claims())}`;
      return status(`${text}.${sign(Buffer.from(text)).toString("base64url")}`);
    };
    expect(await signedBy("RS256", "weak", (text) => sign("sha256", text, weak.privateKey))).toBe(401);
    const ieee = { key: shown.privateKey, dsaEncoding: "ieee-p1363" } as const;
    expect(await signedBy("ES256", "shown", (text) => sign("sha256", text, ieee))).toBe(401);
    const shared = Buffer.from(secret, "base64url");
    expect(await signedBy("HS256", "shared", (text) => createHmac("sha256", shared).update(text).digest())).toBe(401);
    for (const kid of ["later", "half", "sealing"])
      expect(await status(await issuer.sign(claims(), { kid }))).toBe(401);
  });

  it("may share a name or have none, and only the right one verifies", async () => {
    const [other, third] = [await Issuer.start(), await Issuer.start()];
    for (const kid of ["first", undefined]) {
      issuer.keys = [...other.keys, ...issuer.keys].slice(-2).map((key) => {
        const { kid: _kid, ...unnamed } = key;
        return kid === undefined ? unnamed : { ...unnamed, kid };
      });
      plane.clock.advance(10 * MINUTE);
      expect(await status(await issuer.sign(claims(), { kid }))).toBe(200);
      expect(await status(await third.sign(claims(), { kid }))).toBe(401);
    }
  });

  it("end with the set that the issuer withdraws, however odd the rest of it is", async () => {
    expect(await status(await issuer.sign(claims()))).toBe(200);
    const kept = issuer.keys;
    issuer.keys = [{ kty: "oct", kid: "first", k: "AAAA" }];
    plane.clock.advance(10 * MINUTE);
    expect(await status(await issuer.sign(claims()))).toBe(401);
    issuer.keys = kept;
    plane.clock.advance(10 * MINUTE);
    expect(await status(await issuer.sign(claims()))).toBe(200);
  });

  it.each([[{ issuer: "https://evil.example" }], [{ issuer: null }], [{ jwks_uri: 7 }]])(
    "are not read where the metadata says %j",
    async (metadata) => {
      issuer.metadata = metadata;
      expect((await ask(await issuer.sign(claims()))).json.code).toBe("issuer_unavailable");
    },
  );

  it("are not those of an issuer that says it is another", async () => {
    await setUp();
    const other = await Issuer.start();
    const trusted = { issuer: `${other.url}/`, audience: AUDIENCE, tenantClaim: "org", usernameClaim: "email" };
    const strict = createPlane({ store: plane.store, trustedIssuers: [trusted], egressAllow: ["127.0.0.1"] });
    const token = await other.sign(claims({ iss: `${other.url}/` }));
    expect((await strict.send("GET", "/api/v1/ai-assets", { token })).json.code).toBe("issuer_unavailable");
  });
});

describe("token exchange", () => {
  const exchange = (subject_token: string, more: Record<string, unknown> = {}) =>
    plane.send("POST", "/api/v1/auth/token", {
      body: { grant_type: EXCHANGE, subject_token, subject_token_type: JWT, ...more },
    });
  const workload = (more: JWTPayload = {}) => issuer.sign({ ...without("email"), sub: "job-1", ...more });
  const register = (scene: Scene, subject = "job-1") =>
    scene.newIdentity({ issuer: issuer.url, subject, scopes: ["ai-asset:read", "ai-asset:write"] });

  describe("where the issuer names tenants", () => {
    beforeEach(() => setUp());

    it("gives a token of the identity with that issuer and subject in that tenant", async () => {
      const [mine, theirs] = [await register(a), await register(b)];
      const { json } = await exchange(await workload());
      expect(json).toMatchObject({ token_type: "Bearer", expires_in: 600, scope: "ai-asset:read ai-asset:write" });
      const made = await plane.send("POST", "/api/v1/ai-assets", { token: json.access_token, body: {} });
      expect(made.json.createdBy).toBe(mine);
      const other = (await exchange(await workload({ org: b.tenantId }))).json.access_token;
      expect((await plane.send("POST", "/api/v1/ai-assets", { token: other, body: {} })).json.createdBy).toBe(theirs);
      expect((await exchange(await workload(), { client_id: theirs })).json.error).toBe("invalid_request");
      expect((await exchange(await workload(), { client_id: mine, scope: "ai-asset:read" })).json.scope).toBe(
        "ai-asset:read",
      );
    });

    it("gives at most fifteen minutes, and never more than the subject token has left", async () => {
      await register(a);
      expect((await exchange(await workload({ exp: now() + 7_200 }))).json.expires_in).toBe(900);
      expect((await exchange(await workload({ exp: now() + 42 }))).json.expires_in).toBe(42);
      expect((await exchange(await workload({ exp: now() - 30 }))).json.error).toBe("invalid_request");
    });

    it.each<[string, () => Promise<Answer>]>([
      ["no subject token", () => exchange(undefined as never)],
      ["no type", async () => exchange(await workload(), { subject_token_type: undefined })],
      ["another type", async () => exchange(await workload(), { subject_token_type: `${JWT}x` })],
      ["a wish for another type", async () => exchange(await workload(), { requested_token_type: JWT })],
      ["an actor", async () => exchange(await workload(), { actor_token: await workload() })],
      ["a token that is none", () => exchange("x")],
      ["a token of ours", () => exchange(a.owner.token)],
      ["another audience", async () => exchange(await workload({ aud: "https://other.example" }))],
      ["an unknown subject", async () => exchange(await workload({ sub: "job-2" }))],
      ["another tenant", async () => exchange(await workload({ org: b.tenantId }))],
      ["no tenant", async () => exchange(await workload({ org: undefined }))],
      ["an unknown client", async () => exchange(await workload(), { client_id: "idn_unknown" })],
      ["another identity", async () => exchange(await workload(), { client_id: await a.newIdentity() })],
    ])("is refused with %s", async (_what, send) => {
      await register(a);
      const { status: code, json } = await send();
      expect([code, json.code, json.error]).toEqual([400, "invalid_request", "invalid_request"]);
    });

    it("is for identities that may act, and its tokens die with that", async () => {
      const id = await register(a);
      const { access_token: token } = (await exchange(await workload())).json;
      expect(await status(token)).toBe(200);
      const disable = { token: a.owner.token, body: { status: "disabled" } };
      expect((await plane.send("PUT", `/api/v1/ai/identities/${id}`, disable)).status).toBe(200);
      expect(await status(token)).toBe(401);
      expect((await exchange(await workload())).json.error).toBe("invalid_request");
    });

    it("takes client credentials when they are sent, and only right ones", async () => {
      const id = await register(a);
      const { clientSecret } = await a.newCredential(id);
      const proof = { client_id: id, client_secret: clientSecret };
      expect((await exchange(await workload(), proof)).status).toBe(200);
      expect((await exchange(await workload(), { ...proof, client_secret: "wrong" })).json.error).toBe(
        "invalid_client",
      );
    });
  });

  describe("where the issuer knows no tenants", () => {
    beforeEach(() => setUp({ tenantClaim: undefined, usernameClaim: undefined } as never));

    it("gives a token of the identity that is named, if its issuer and subject are the token's", async () => {
      const id = await register(a);
      const token = await workload({ org: undefined });
      expect((await exchange(token, { client_id: id })).status).toBe(200);
      expect((await exchange(token)).json.error).toBe("invalid_request");
      expect((await exchange(token, { client_id: await register(b, "job-2") })).json.error).toBe("invalid_request");
    });

    it("takes none of the issuer's tokens as a bearer", async () => {
      expect(await status(await issuer.sign(claims()))).toBe(401);
    });
  });
});

describe("the option trustedIssuers", () => {
  const good = { issuer: "https://login.example", audience: "x", tenantClaim: "org", usernameClaim: "email" };
  it.each<[string, readonly object[]]>([
    ["this service itself", [{ ...good, issuer: "https://reeve.example" }]],
    ["one twice", [good, good]],
    ["no URL", [{ ...good, issuer: "login" }]],
    ["keys at no URL", [{ ...good, jwksUri: "/keys" }]],
    ["no audience", [{ ...good, audience: "" }]],
    ["parties that are no list", [{ ...good, authorizedParties: "spa" }]],
    ["no kind of token", [{ ...good, tokenTypes: [] }]],
    ["users without tenants", [{ ...good, tenantClaim: undefined }]],
    ["roles without users", [{ issuer: good.issuer, audience: "x", rolesClaim: "roles" }]],
  ])("is refused with %s", (_what, trustedIssuers) => {
    expect(() => createPlane({ trustedIssuers: trustedIssuers as readonly TrustedIssuer[] })).toThrow(/trustedIssuers/);
  });
});
