import type { World } from "@reeve/testkit";
import canonicalize from "canonicalize";
import { exportJWK, FlattenedSign, generateKeyPair, type JWK } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "#store/chain.js";
import { createControlPlane, createMemoryStore } from "../../../src/index.js";
import { createWorld } from "../../helpers/world.js";

const AGENTS = "/api/v1/ai/agents";
const REASON = "a reason of more than ten characters";
const CARD = {
  name: "Travel agent",
  description: "Books journeys.",
  version: "1.2.0",
  supportedInterfaces: [{ url: "https://travel.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: true },
  skills: [{ id: "book", name: "Book", description: "Books a journey.", tags: ["travel"], examples: ["to Rome"] }],
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
  ratio: 1e-7,
  "z\u00e9": "\u20ac",
};

type Signer = Awaited<ReturnType<typeof signer>>;
async function signer(alg: string, kid: string) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg, use: "sig" };
  const sign = async (card: object, header: object = {}) => {
    const { payload: _detached, ...signature } = await new FlattenedSign(new TextEncoder().encode(canonicalize(card)))
      .setProtectedHeader({ alg, kid, typ: "JOSE", ...header })
      .sign(privateKey);
    return signature;
  };
  return { jwk, privateKey, sign };
}

let world: World;
let known: Signer;
let rsa: Signer;
let stranger: Signer;
beforeAll(async () => {
  [known, rsa, stranger] = await Promise.all([signer("ES256", "known"), signer("PS256", "rsa"), signer("EdDSA", "no")]);
  world = await createWorld({ agentCardKeys: { keys: [known.jwk, rsa.jwk] }, tokenLifetime: 86_400 });
});

const send = (method: string, path: string, body?: object) =>
  world.send(method, path, { token: world.a.owner.token, body });
const create = async (agentCard: object) => {
  const answer = await send("POST", AGENTS, { agentCard });
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
};

describe("an agent card", () => {
  it("is kept as it was given, with the digest of its canonical form without signatures", async () => {
    const signed = { ...CARD, signatures: [await known.sign(CARD)] };
    const agent = await create(signed);
    expect(agent.agentCard).toEqual(signed);
    expect(agent.cardDigest).toBe(sha256(canonicalize(CARD) as string));
    expect(await create(CARD)).toMatchObject({ cardDigest: agent.cardDigest, signatureStatus: "none" });
    const shuffled = Object.fromEntries(Object.entries(CARD).reverse());
    expect((await create(shuffled)).cardDigest).toBe(agent.cardDigest);
    expect(await create({ ...CARD, version: "1.2.1" })).not.toMatchObject({ cardDigest: agent.cardDigest });
  });

  it("is judged by the keys that are trusted, and by no others", async () => {
    const by = async (...signatures: object[]) => (await create({ ...CARD, signatures })).signatureStatus;
    const [good, goodRsa, foreign] = await Promise.all([known.sign(CARD), rsa.sign(CARD), stranger.sign(CARD)]);
    expect(await by(good)).toBe("valid");
    expect(await by(goodRsa)).toBe("valid");
    expect(await by(foreign)).toBe("unverified");
    expect(await by(foreign, good)).toBe("valid");
    expect(await by(good, await known.sign({ ...CARD, name: "Another" }))).toBe("invalid");
    expect(await by(await stranger.sign(CARD, { kid: "known", alg: "EdDSA" }))).toBe("unverified");
    expect(await by({ ...good, signature: goodRsa.signature })).toBe("invalid");
    expect(await by({ ...good, protected: Buffer.from("{}").toString("base64url") })).toBe("invalid");
    expect(await by({ protected: "bm90IGpzb24", signature: "AAAA" })).toBe("invalid");
    expect(await by({ ...good, header: { kid: "no" } })).toBe("valid");
    const none = Buffer.from(JSON.stringify({ alg: "none", kid: "known" })).toString("base64url");
    expect(await by({ protected: none, signature: "AAAA" })).toBe("invalid");
    expect((await create({ ...CARD, signatures: [] })).signatureStatus).toBe("none");
  });

  it("is kept with optional parts that are odd or missing, which its signature covers as well", async () => {
    const { description: _none, ...rest } = CARD;
    const odd = { ...rest, skills: [{ id: "book", name: "Book" }], provider: "Acme", iconUrl: 7, documentationUrl: [] };
    const signature = await known.sign(odd);
    expect(await create({ ...odd, signatures: [signature] })).toMatchObject({
      agentCard: odd,
      signatureStatus: "valid",
    });
    for (const changed of [
      { ...odd, provider: { organization: "Acme" } },
      { ...odd, iconUrl: undefined },
      { ...odd, skills: [{ id: "book", name: "Book", description: "" }] },
    ])
      expect((await create({ ...changed, signatures: [signature] })).signatureStatus).toBe("invalid");
  });

  it("cannot say itself how it is judged, and is judged again when it is sent again", async () => {
    const { id } = await create({ ...CARD, signatures: [await stranger.sign(CARD)] });
    const put = async (body: object) => (await send("PUT", `${AGENTS}/${id}`, body)).json;
    expect((await put({ signatureStatus: "valid" })).code).toBe("read_only_property");
    expect((await put({ cardDigest: "0".repeat(64) })).code).toBe("read_only_property");
    const signed = { ...CARD, signatures: [await known.sign(CARD)] };
    expect(await put({ configuration: { agentCard: signed } })).toMatchObject({ signatureStatus: "valid" });
    expect(await put({ framework: "another" })).toMatchObject({ signatureStatus: "valid" });
    expect(await put({ agentCard: { ...signed, name: "Another" } })).toMatchObject({ signatureStatus: "invalid" });
    expect(await put({ agentCard: null })).toMatchObject({ cardDigest: null, signatureStatus: "none" });
  });

  it("sends an approved agent back to review when it changes, and not when it is sent again", async () => {
    const signed = { ...CARD, signatures: [await known.sign(CARD)] };
    const { id, assetId } = await create(signed);
    const govern = (status: string, token?: string) =>
      world.send("PATCH", `/api/v1/ai-assets/${assetId}/governance-state`, {
        token: token ?? world.a.owner.token,
        body: { status, reason: REASON },
      });
    const state = async () => (await send("GET", `/api/v1/ai-assets/${assetId}`)).json.governanceState;
    const approve = async () => {
      await govern("under_review");
      await govern("approved", world.a.actors.admin.token);
      expect(await state()).toBe("approved");
    };
    await approve();
    await send("PUT", `${AGENTS}/${id}`, { agentCard: signed });
    expect(await state()).toBe("approved");
    await send("PUT", `${AGENTS}/${id}`, { agentCard: CARD });
    expect(await state()).toBe("under_review");
    await govern("approved", world.a.actors.admin.token);
    await send("PUT", `${AGENTS}/${id}`, { agentCard: { ...CARD, skills: [] } });
    expect(await state()).toBe("under_review");
  });

  it.each([
    ["", "no card"],
    ["/name", { ...CARD, name: undefined }],
    ["/skills/1/id", { ...CARD, skills: [CARD.skills[0], { ...CARD.skills[0], id: 5 }] }],
    ["/supportedInterfaces/0/url", { ...CARD, supportedInterfaces: [{ url: "not a url" }] }],
    ["/securitySchemes", { ...CARD, securitySchemes: "none" }],
    ["/signatures/0/protected", { ...CARD, signatures: [{ protected: "a b", signature: "x" }] }],
    ["/signatures", { ...CARD, signatures: Array(11).fill({ protected: "a", signature: "x" }) }],
    ["", { ...CARD, notes: Array(3).fill("x".repeat(25_000)) }],
    ["", { ...CARD, deep: JSON.parse(`${'{"a":'.repeat(20)}1${"}".repeat(20)}`) }],
  ])("of the wrong shape is refused at its place%s", async (pointer, agentCard) => {
    for (const [at, body] of [
      ["/agentCard", { agentCard }],
      ["/configuration/agentCard", { configuration: { agentCard } }],
    ] as const) {
      const { status, json } = await send("POST", AGENTS, body);
      expect([status, json.errors?.[0]?.pointer]).toEqual([400, `${at}${pointer}`]);
    }
  });
});

describe("keys for agent cards", () => {
  it("are public, named and told apart, or the control plane does not start", async () => {
    const secret = await exportJWK(known.privateKey);
    for (const keys of [
      [{ ...secret, kid: "a" }],
      [{ kty: "oct", k: "c2VjcmV0", kid: "a" }],
      [{ ...known.jwk, kid: undefined }],
      [known.jwk, { ...rsa.jwk, kid: "known" }],
      [{ kty: "EC", crv: "P-256", x: "AA", y: "AA", kid: "a" }],
      [{ ...known.jwk, alg: "HS256" }],
    ]) {
      const start = () =>
        createControlPlane({
          store: createMemoryStore(),
          masterKey: new Uint8Array(32).map((_, index) => index),
          baseUrl: "https://reeve.example",
          agentCardKeys: { keys: keys as JWK[] },
        });
      expect(start).toThrow(/agentCardKeys/);
    }
  });
});
