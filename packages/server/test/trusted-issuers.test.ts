import { createHmac, createPublicKey } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@reeve/testkit/postgres";
import { decodeJwt } from "jose";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Issuer } from "./issuer.js";
import { ServerProcess } from "./server-process.js";

const AUDIENCE = "https://reeve.acme.example";
const OWNER = { username: "ada@acme.example", password: "violet tram at noon" };
const OTHER = { username: "eve@other.example", password: "amber ferry at night" };
/** Moves the clock of the server by more than the pause between two reads of keys. */
const CLOCK = `process.on("SIGUSR2", () => {
  const now = Date.now;
  Date.now = () => now() + 31_000;
  console.error("moved");
});`;

interface Json {
  readonly code?: string;
  readonly items: readonly { readonly id: string; readonly username: string }[];
}

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), "reeve-issuers-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A server with two tenants that trusts two issuers: one of the tenant acme alone, and one of all tenants, which is down. */
async function setUp(REEVE_ADAPTER: string) {
  const person = (email: string, groups: string[]) => ({ email, email_verified: true, groups, name: "Grace Hopper" });
  const own = await Issuer.at(AUDIENCE, {
    ada: person(OWNER.username, ["AI Admins"]),
    grace: person("grace@acme.example", ["AI Admins"]),
    vera: person("vera@acme.example", ["Visitors"]),
    claimer: { ...person("greta@acme.example", ["AI Admins"]), org: "other" },
    unproven: { ...person("noreply@acme.example", ["AI Admins"]), email_verified: false },
  });
  const shared = await Issuer.at(AUDIENCE, {
    eve: { org: "other", email: OTHER.username },
    stray: { org: "acme", email: OTHER.username },
  });
  await own.start();
  const directory = folder();
  const file = join(directory, "issuers.json");
  const trusted = [
    {
      issuer: own.url,
      audience: AUDIENCE,
      tenant: "acme",
      usernameClaim: "email",
      nameClaim: "name",
      rolesClaim: "groups",
      roleMap: { "AI Admins": ["admin"] },
      newUserRoles: ["member"],
    },
    { issuer: shared.url, audience: AUDIENCE, tenantClaim: "org", usernameClaim: "email", usernamesVerified: true },
  ];
  writeFileSync(file, JSON.stringify(trusted), { mode: 0o600 });
  const clock = join(directory, "clock.mjs");
  writeFileSync(clock, CLOCK);
  const PORT = String(await freePort());
  const settings = {
    PORT,
    REEVE_ADAPTER,
    REEVE_TRUSTED_ISSUERS_FILE: file,
    REEVE_EGRESS_ALLOW: "127.0.0.1",
    NODE_OPTIONS: `--import ${clock}`,
  };
  const server = ServerProcess.spawn(directory, settings);
  onTestFinished(async () => void (await server.stop("SIGKILL")));
  await server.ready();
  const base = `http://127.0.0.1:${PORT}/api/v1`;
  const send = async (path: string, token?: string, body?: object) => {
    const answer = await fetch(base + path, {
      method: body ? "POST" : "GET",
      headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, json: (await answer.json()) as Json };
  };
  await send("/register", undefined, { organization: "Acme", subdomain: "acme", ...OWNER });
  await send("/register", undefined, { organization: "Other", subdomain: "other", ...OTHER });
  const asked = async (token: string) => {
    const { status, json } = await send("/users", token);
    return [status, json.code ?? json.items.map(({ username }) => username)];
  };
  return { own, shared, server, settings, directory, send, asked };
}

describe.each(["fastify", "express"])("a server on %s that trusts OpenID issuers", (adapter) => {
  it("accepts who they vouch for, and refuses all else", async () => {
    const { own, shared, server, settings, directory, send, asked } = await setUp(adapter);

    // The issuer of all tenants is down. The server has started, and says so.
    const early = `${Buffer.from('{"alg":"RS256"}').toString("base64url")}.${Buffer.from(JSON.stringify({ iss: shared.url })).toString("base64url")}.`;
    expect(await send("/users", early)).toMatchObject({ status: 503, json: { code: "issuer_unavailable" } });
    const reported = ServerProcess.run("doctor", directory, settings, ["--json"]);
    await reported.ended;
    const { findings } = JSON.parse(reported.output) as { findings: { check: string; detail: string }[] };
    const issuers = findings.find(({ check }) => check === "trusted issuers");
    expect(issuers).toMatchObject({
      outcome: "fault",
      detail: expect.stringMatching(`^${shared.url}: .*; correct the issuer`),
    });

    // A person of before keeps the account, and one who comes first gets one.
    expect(await asked(await own.tokenOf("ada"))).toEqual([200, [OWNER.username]]);
    const made = await send("/ai-assets", await own.tokenOf("grace"), { name: "Bot", assetType: "agent" });
    const { json: people } = await send("/users", await own.tokenOf("ada"));
    const grace = people.items.find(({ username }) => username === "grace@acme.example");
    expect(grace).toMatchObject({ name: "Grace Hopper", roles: ["member"] });
    expect(made).toMatchObject({ status: 201, json: { createdBy: grace?.id } });
    expect(await asked(await own.tokenOf("vera"))).toEqual([403, "permission_denied"]);
    expect(await asked(await own.tokenOf("unproven"))).toEqual([401, "invalid_token"]);
    // It vouches for people of its tenant, whatever its tokens say of others.
    expect((await asked(await own.tokenOf("claimer")))[1]).toContain(OWNER.username);

    const claims = decodeJwt(await own.tokenOf("ada"));
    const now = Math.floor(Date.now() / 1_000);
    expect((await asked(await own.forge(claims)))[0]).toBe(200);
    expect(await asked(await own.forge({ ...claims, aud: "https://shop.acme.example" }))).toEqual([
      401,
      "invalid_token",
    ]);
    expect(await asked(await own.forge({ ...claims, iat: now - 700, exp: now - 100 }))).toEqual([401, "token_expired"]);
    for (const bent of await unsigned(own, claims)) expect(await asked(bent)).toEqual([401, "invalid_token"]);

    // Both issuers come back with other keys, and the server reads them by and by.
    await own.stop();
    await own.start();
    await shared.start();
    expect(await asked(await own.tokenOf("ada"))).toEqual([401, "invalid_token"]);
    server.child.kill("SIGUSR2");
    await vi.waitFor(() => expect(server.errors).toContain("moved"));
    expect((await asked(await own.tokenOf("ada")))[0]).toBe(200);
    expect(await asked(await shared.tokenOf("eve"))).toEqual([200, [OTHER.username]]);
    expect(await asked(await shared.tokenOf("stray"))).toEqual([401, "invalid_token"]);
    const posing = await shared.forge({ ...claims, iss: own.url });
    expect(await asked(posing)).toEqual([401, "invalid_token"]);
    expect(await asked(await shared.forge({ ...claims, iss: "https://login.evil.example" }))).toEqual([
      401,
      "invalid_token",
    ]);
    for (const token of [posing, await own.tokenOf("grace")]) expect(server.output).not.toContain(token);
  });
});

/** The claims without a signature, and with one that is keyed with the public key. */
async function unsigned(issuer: Issuer, claims: object): Promise<string[]> {
  const [key] = (await issuer.publicKeys()) as [{ readonly kid: string }];
  const pem = createPublicKey({ key: key as never, format: "jwk" }).export({ type: "spki", format: "pem" });
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = (alg: string) => `${encoded({ alg, kid: key.kid })}.${encoded(claims)}`;
  const keyed = [pem, JSON.stringify(key)].map((secret) => {
    return `${signed("HS256")}.${createHmac("sha256", secret).update(signed("HS256")).digest("base64url")}`;
  });
  return [`${signed("none")}.`, ...keyed];
}

describe("settings of trusted issuers that are wrong", () => {
  const refused = async (settings: Record<string, string>) => {
    const server = ServerProcess.spawn(folder(), { PORT: String(await freePort()), ...settings });
    expect(await server.ended).toBe(1);
    return server.errors.trim().split("\n");
  };

  it("end the start with a line for each member", async () => {
    const issuer = "https://login.acme.example";
    const REEVE_TRUSTED_ISSUERS = JSON.stringify([
      { issuer, audiance: "x", tenant: "acme", rolesClaim: "groups", roleMap: { staff: ["boss"] } },
      { issuer, audience: "x", tenant: "acme", tenantClaim: "org", usernamesVerified: "yes", constructor: 1 },
      7,
    ]);
    const lines = await refused({ REEVE_TRUSTED_ISSUERS });
    expect(lines).toEqual([
      "reeve: REEVE_TRUSTED_ISSUERS[0].audiance is no member; did you mean audience?",
      "reeve: REEVE_TRUSTED_ISSUERS[0].audience is required: the aud of its tokens for this service",
      expect.stringMatching(/\[0\]\.roleMap names no role by \["boss"\]; there are owner, /),
      "reeve: REEVE_TRUSTED_ISSUERS[0].rolesClaim needs usernameClaim",
      expect.stringMatching(/\[1\]\.constructor is no member; there are issuer, audience, /),
      'reeve: REEVE_TRUSTED_ISSUERS[1].usernamesVerified must be true or false, not "yes"',
      "reeve: REEVE_TRUSTED_ISSUERS[1].tenant must not stand beside tenantClaim",
      "reeve: REEVE_TRUSTED_ISSUERS[1].issuer is there twice",
      "reeve: REEVE_TRUSTED_ISSUERS[2] must be an issuer with its members, not 7",
    ]);
  });

  it("name the file and its mode", async () => {
    const file = join(folder(), "issuers.json");
    const said = (more: Record<string, string> = {}) => refused({ REEVE_TRUSTED_ISSUERS_FILE: file, ...more });
    expect(await said()).toEqual([`reeve: REEVE_TRUSTED_ISSUERS_FILE cannot be read: ${file}: ENOENT`]);
    writeFileSync(file, '[{\n  "issuer": s3cr3t\n}]');
    expect(await said()).toEqual(["reeve: REEVE_TRUSTED_ISSUERS_FILE must be a list of issuers in JSON"]);
    chmodSync(file, 0o664);
    expect(await said()).toEqual([
      `reeve: REEVE_TRUSTED_ISSUERS_FILE must be written by its owner alone: chmod go-w ${file}`,
    ]);
    expect(await said({ REEVE_TRUSTED_ISSUERS: "[]" })).toContain(
      "reeve: REEVE_TRUSTED_ISSUERS and REEVE_TRUSTED_ISSUERS_FILE must not both be set",
    );
  });

  it("and those of OpenID providers never repeat a secret", async () => {
    const issuer = "https://login.acme.example";
    const trusted = [{ issuer, audience: "x" }];
    const provider = { name: "acme", label: "Acme", issuer, clientId: "reeve", clientSecret: "s3cr3t" };
    const said = (given: unknown) =>
      refused({ REEVE_TRUSTED_ISSUERS: JSON.stringify(trusted), REEVE_OPENID: JSON.stringify(given) });
    expect(await said([{ ...provider, name: "A c", clientsecret: "s3cr3t", scopes: ["email"] }])).toEqual([
      "reeve: REEVE_OPENID[0].clientsecret is no member",
      "reeve: REEVE_OPENID[0].name must be of at most 40 lower-case letters, digits and hyphens",
      'reeve: REEVE_OPENID[0].scopes must have "openid" among its entries',
    ]);
    expect(await said([provider])).toEqual([
      "reeve: REEVE_OPENID[0].issuer must be one of REEVE_TRUSTED_ISSUERS with a usernameClaim",
    ]);
    expect(await refused({ REEVE_OPENID: "[s3cr3t" })).toEqual([
      "reeve: REEVE_OPENID must be a list of providers in JSON",
    ]);
  });
});
