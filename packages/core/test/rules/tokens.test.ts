import { createHmac, generateKeyPairSync } from "node:crypto";
import { type Actor, type Answer, type Scene, sampleOf, sendSample, table, type World } from "@reeve/testkit";
import { decodeJwt, decodeProtectedHeader, exportSPKI, importJWK, type JWTPayload } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { collections } from "#reference/index.js";
import { inTurns } from "../helpers/quick.js";
import { encoded, tokenForge } from "../helpers/token-forge.js";
import { createWorld } from "../helpers/world.js";

/** Every operation that needs a bearer token, with the parameters and the body that a valid token succeeds with. */
const bearers = table.filter(({ access }) => access !== "public");
const requests = new Map<string, { readonly params: Readonly<Record<string, string>>; readonly body?: unknown }>();

let world: World;
let forge: Awaited<ReturnType<typeof tokenForge>>;
let claims: JWTPayload;
beforeAll(async () => {
  world = await createWorld();
  forge = await tokenForge(world);
  claims = decodeJwt(world.a.owner.token);
  for (const operation of bearers) {
    const { arrange, body } = sampleOf(operation);
    const params = (await arrange?.(world.a)) ?? {};
    requests.set(operation.id, { params, body: body?.(world.a, world.a.owner) });
  }
});

const ask = (token: string | undefined, headers: Record<string, string | readonly string[]> = {}): Promise<Answer> =>
  world.send("GET", "/api/v1/ai-assets", { token, headers });
const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
const parts = () => world.a.owner.token.split(".") as [string, string, string];
const now = () => Math.floor(world.clock.now() / 1_000);

function hmacToken(secret: string | Buffer, header: object = {}): string {
  const signed = `${encoded({ alg: "HS256", typ: "at+jwt", kid: forge.kid, ...header })}.${encoded(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

async function publicPem(): Promise<string> {
  return exportSPKI(
    (await importJWK(forge.publicJwk, "ES256", { extractable: true })) as Parameters<typeof exportSPKI>[0],
  );
}

/** The door of MCP also says where its metadata is. */
const INVALID_TOKEN = /^Bearer error="invalid_token"(, resource_metadata="https:\/\/reeve\.example\/[^"]+")?$/;

/** Every mutant by name, created when its test runs. */
const MUTANTS: Record<string, () => string | Promise<string>> = {
  "no token": () => "",
  "not a token": () => "x",
  "null bytes": () => "\u0001.\u0001.\u0001",
  "two segments": () => parts().slice(0, 2).join("."),
  "four segments": () => `${world.a.owner.token}.x`,
  "five segments (JWE)": () => `${encoded({ alg: "dir", enc: "A256GCM" })}..a.b.c`,
  "empty signature": () => `${parts().slice(0, 2).join(".")}.`,
  "truncated signature": () => world.a.owner.token.slice(0, -2),
  "padded signature": () => `${world.a.owner.token}==`,
  "signature in another spelling": () =>
    world.a.owner.token.replace(/.$/, (last) =>
      last === "A" ? "B" : `${last === "Q" ? "R" : last === "g" ? "h" : "x"}`,
    ),
  "space in the signature": () => `${world.a.owner.token} `,
  "longer signature": () => `${world.a.owner.token}AAAA`,
  "signature of zeros": () => `${parts().slice(0, 2).join(".")}.${Buffer.alloc(64).toString("base64url")}`,
  "signature of other claims": async () =>
    `${parts().slice(0, 2).join(".")}.${(await forge.sign({ ...claims, jti: "other" })).split(".")[2]}`,
  "other claims under the signature": () => [parts()[0], encoded({ ...claims, sv: 2 }), parts()[2]].join("."),
  "header that is not JSON": () => ["e30x", parts()[1], parts()[2]].join("."),
  "claims that are no object": async () => `${parts()[0]}.${encoded("[]")}.${parts()[2]}`,
  ...Object.fromEntries(
    ["none", "None", "nOnE", "NONE", ""].flatMap((alg) => [
      [`alg "${alg}" unsigned`, () => `${encoded({ alg, typ: "at+jwt", kid: forge.kid })}.${encoded(claims)}.`],
      [
        `alg "${alg}" with the right signature`,
        () => [encoded({ alg, typ: "at+jwt", kid: forge.kid }), parts()[1], parts()[2]].join("."),
      ],
    ]),
  ),
  "HS256 keyed with the public PEM": async () => hmacToken(await publicPem()),
  "HS256 keyed with the public JWK": () => hmacToken(JSON.stringify(forge.publicJwk)),
  "HS256 keyed with the public DER": async () =>
    hmacToken(Buffer.from((await publicPem()).replace(/-----.*-----|\s/g, ""), "base64")),
  "HS256 keyed with nothing": () => hmacToken(""),
  "another key of the same kind": async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return forge.sign(claims, {}, privateKey);
  },
  "another curve": async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
    return forge.sign(claims, { alg: "ES384" }, privateKey);
  },
  "RSA in place of EC": async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    return forge.sign(claims, { alg: "RS256" }, privateKey);
  },
  "a key carried along (jwk)": async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return forge.sign(claims, { kid: "mine", jwk: publicKey.export({ format: "jwk" }) }, privateKey);
  },
  "a key elsewhere (jku)": () => forge.sign(claims, { kid: "mine", jku: "http://127.0.0.1:9/keys" }),
  "an unknown critical extension": async () =>
    [encoded({ ...decodeProtectedHeader(world.a.owner.token), crit: ["x"], x: 1 }), parts()[1], parts()[2]].join("."),
  "unencoded payload (b64)": async () =>
    [
      encoded({ ...decodeProtectedHeader(world.a.owner.token), crit: ["b64"], b64: false }),
      parts()[1],
      parts()[2],
    ].join("."),
  ...Object.fromEntries(
    [
      "",
      "__proto__",
      "constructor",
      "toString",
      "../../etc/passwd",
      "' OR 1=1--",
      "http://127.0.0.1:9/key",
      "k".repeat(4_000),
    ].map((kid) => [`kid "${kid.slice(0, 30)}"`, () => forge.sign(claims, { kid })]),
  ),
  ...Object.fromEntries(
    [undefined, null, 7, ["a"], { a: 1 }].map((kid) => [
      `kid ${JSON.stringify(kid)}`,
      () => [encoded({ alg: "ES256", typ: "at+jwt", kid }), parts()[1], parts()[2]].join("."),
    ]),
  ),
  ...Object.fromEntries(
    [undefined, "JWT", "at+jwtx", "application/jwt", ""].map((typ) => [
      `typ ${typ}`,
      () => forge.sign(claims, { typ }),
    ]),
  ),
  ...Object.fromEntries(
    ["iss", "aud", "sub", "uid", "tid", "jti", "iat", "nbf", "exp", "sv"].flatMap((name) => [
      [`${name} missing`, () => forge.sign(without(name))],
      [`${name} null`, () => forge.sign({ ...claims, [name]: null } as never)],
      [`${name} of the wrong type`, () => forge.sign({ ...claims, [name]: name === "sv" ? "1" : { a: 1 } } as never)],
      [`${name} as an array`, () => forge.sign({ ...claims, [name]: [claims[name]] } as never)],
    ]),
  ),
  ...Object.fromEntries(
    ["iss", "aud", "sub", "uid", "tid"].map((name) => [
      `another ${name}`,
      () => forge.sign({ ...claims, [name]: "another" }),
    ]),
  ),
  "the user of another tenant": () => forge.sign({ ...claims, tid: world.b.tenantId }),
  "another user under this user's name": () => forge.sign({ ...claims, uid: world.a.actors.admin.userId }),
  "a later security version": () => forge.sign({ ...claims, sv: 2 }),
  "an earlier security version": () => forge.sign({ ...claims, sv: 0 }),
  "an empty user": () => forge.sign({ ...claims, uid: "" }),
  "expired 61 s ago": () => forge.sign({ ...claims, iat: now() - 3_600, nbf: now() - 3_600, exp: now() - 61 }),
  "not valid for 61 s more": () => forge.sign({ ...claims, nbf: now() + 61 }),
  "issued 61 s from now": () => forge.sign({ ...claims, iat: now() + 61, exp: now() + 3_600 }),
  "a life longer than a day": () => forge.sign({ ...claims, iat: now(), exp: now() + 86_401 }),
  "negative expiry": () => forge.sign({ ...claims, exp: -1 }),
  "expiry as text": () => forge.sign({ ...claims, exp: String(now() + 600) } as never),
  "expiry with a fraction": () => forge.sign({ ...claims, exp: now() + 600.5 }),
  "a scope that is no text": () => forge.sign({ ...claims, scope: ["ai-asset:read"] }),
  "a scope of 5 KB": () => forge.sign({ ...claims, scope: "a".repeat(5_000) }),
  "the next key's kid over this key's signature": async () =>
    forge.sign(claims, { kid: (await tokenForge(world, "next")).kid }),
  "a refresh token": () => world.a.owner.refreshToken,
  "16 KB": () => "x".repeat(16_384),
};

describe("a bent token", () => {
  it("comes in at least 60 shapes", () => {
    expect(Object.keys(MUTANTS).length).toBeGreaterThanOrEqual(60);
  });

  const mutants = Object.entries(MUTANTS).map((one, at) => [...one, at] as const);

  it.each(mutants)("is refused by every operation: %s", async (name, mutant, at) => {
    const token = await mutant();
    for (const operation of inTurns(bearers, at)) {
      const given = { ...requests.get(operation.id), asPublished: true };
      const answer = await sendSample(world.a, operation, { ...world.a.owner, token }, given);
      expect(answer.status).toBe(401);
      expect(answer.json.code).toBe(/expired|negative expiry/.test(name) ? "token_expired" : "invalid_token");
      expect(answer.headers["www-authenticate"]).toMatch(INVALID_TOKEN);
      if (token.length > 0) expect(answer.text).not.toContain(token);
    }
  });

  it.each<[string, () => Promise<string>]>([
    ["unchanged claims", () => forge.sign(claims)],
    ["expired 59 s ago", () => forge.sign({ ...claims, iat: now() - 600, nbf: now() - 600, exp: now() - 59 })],
    ["not valid for 59 s more", () => forge.sign({ ...claims, nbf: now() + 59 })],
    ["issued 59 s from now", () => forge.sign({ ...claims, iat: now() + 59 })],
  ])("is accepted when nothing is bent: %s", async (_name, make) => {
    expect((await ask(await make())).status).toBe(200);
  });
});

describe("the Authorization header", () => {
  it.each(["bearer", "BEARER", "Token", "Basic", "Bearer\t", " Bearer", "Bearer "])(
    "is not understood as %j",
    async (scheme) => {
      const answer = await ask(undefined, { authorization: `${scheme} ${world.a.owner.token}` });
      expect(answer.json.code).toBe("invalid_token");
    },
  );

  it("must not be sent twice", async () => {
    const one = `Bearer ${world.a.owner.token}`;
    const answer = await ask(undefined, { authorization: [one, one] });
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe("invalid_request");
    expect((await ask(undefined, { authorization: `${one}, ${one}` })).status).toBe(401);
  });

  it("is the only place for a token", async () => {
    const { token } = world.a.owner;
    const elsewhere = [
      await ask(undefined, { cookie: `token=${token}; access_token=${token}` }),
      await ask(undefined, { "x-access-token": token, "proxy-authorization": `Bearer ${token}` }),
      await world.send("POST", "/api/v1/ai-assets", { body: { access_token: token, token } }),
      await world.send("GET", `/api/v1/ai-assets?access_token=${token}`),
    ];
    for (const answer of elsewhere) expect(answer.json.code).toBe("token_missing");
  });
});

describe("a good token", () => {
  const collectionNamed = (name: string) => collections.find((candidate) => candidate.name === name) as never;
  const works = async (scene: Scene, { token }: Actor) =>
    (await scene.send("GET", "/api/v1/ai-assets", { token })).status;

  it.each<[string, (scene: Scene, actor: Actor) => Promise<unknown>]>([
    [
      "the password is changed with another token",
      async (scene, { username, password }) => {
        const { token } = (await scene.send("POST", "/api/v1/auth/signin", { body: { username, password } })).json;
        const body = { currentPassword: password, newPassword: "entirely another phrase" };
        return scene.send("POST", "/api/v1/auth/reset-password", { token, body });
      },
    ],
    [
      "the roles change",
      (scene, { userId }) =>
        scene.send("PATCH", `/api/v1/users/${userId}`, { token: scene.owner.token, body: { roles: ["auditor"] } }),
    ],
    [
      "the user is disabled",
      (scene, { userId }) =>
        scene.send("PATCH", `/api/v1/users/${userId}`, { token: scene.owner.token, body: { status: "disabled" } }),
    ],
    [
      "the user is removed",
      (scene, { userId }) => scene.send("DELETE", `/api/v1/users/${userId}`, { token: scene.owner.token }),
    ],
  ])("dies with the very next request when %s, and no other does", async (_name, act) => {
    const { a } = await createWorld();
    const [actor, other] = [await a.newUser(["member"]), await a.newUser(["member"])];
    expect(await works(a, actor)).toBe(200);
    expect((await act(a, actor)) as Answer).toMatchObject({
      status: expect.toSatisfy((status: number) => status < 300),
    });
    expect(await works(a, actor)).toBe(401);
    expect(await works(a, other)).toBe(200);
    expect(await works(a, a.owner)).toBe(200);
  });

  it("stays dead when the user is enabled again, and a new sign-in works", async () => {
    const { a, send } = await createWorld();
    const actor = await a.newUser(["member"]);
    for (const status of ["disabled", "active"]) {
      await send("PATCH", `/api/v1/users/${actor.userId}`, { token: a.owner.token, body: { status } });
      expect(await works(a, actor)).toBe(401);
    }
    expect(await works(a, await a.signIn(actor.userId, actor))).toBe(200);
  });

  it("dies within five seconds when another process changes the store", async () => {
    const { a, store, clock } = await createWorld();
    const actor = await a.newUser(["member"]);
    expect(await works(a, actor)).toBe(200);
    const users = store.forTenant(a.tenantId);
    const user = (
      await users.get<{ id: string; version: number; createdAt: string }>(collectionNamed("users"), actor.userId)
    )?.value;
    await users.replace(collectionNamed("users"), { ...user, version: 2, status: "disabled" } as never, user as never);
    clock.advance(5_000);
    expect(await works(a, actor)).toBe(401);
  });

  it("ends with its lifetime, for those who have seen it too", async () => {
    const { a, clock } = await createWorld({ tokenLifetime: 600 });
    expect(await works(a, a.owner)).toBe(200);
    clock.advance(659_999);
    expect(await works(a, a.owner)).toBe(200);
    clock.advance(1);
    const answer = await a.send("GET", "/api/v1/ai-assets", { token: a.owner.token });
    expect(answer.json.code).toBe("token_expired");
  });

  it("is worth nothing to a control plane of another address or key", async () => {
    const { a } = world;
    const other = await createWorld({ baseUrl: "https://other.example" });
    expect((await other.send("GET", "/api/v1/ai-assets", { token: a.owner.token })).status).toBe(401);
  });
});
