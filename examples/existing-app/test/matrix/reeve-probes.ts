import { Agent } from "node:http";
import { expect } from "vitest";
import { ORIGIN } from "../../src/host.js";
import { type Answered, ask, json, type Probe } from "./ask.js";

const ASSETS = "/api/v1/ai-assets";
const owner = { username: "ada@acme.example", password: "violet tram at noon" };

/** The middleware of the host that affects Reeve's answers. */
export interface Around {
  readonly cors: boolean;
  readonly helmet: boolean;
  readonly compression: boolean;
}

/** Calls Reeve's operations below the prefix and expects documented answers. Returns a token. */
export async function expectReeve(base: string, prefix: string, around: Around): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = async (probe: Probe) => {
    const answer = await ask(base, { ...probe, path: prefix + probe.path }, agent);
    return { ...answer, json: answer.text === "" ? undefined : JSON.parse(answer.text) };
  };

  expect(await send({ method: "GET", path: "/api/v1/monitor/ping" })).toMatchObject({ status: 200 });
  const refused = await send({ method: "GET", path: ASSETS });
  expect(refused).toMatchObject({
    status: 401,
    headers: {
      "content-type": "application/problem+json; charset=utf-8",
      "www-authenticate": expect.stringContaining("Bearer"),
    },
    json: { code: "token_missing" },
  });
  const wrong = { ...owner, password: "another tram at noon" };
  expect((await send({ method: "POST", path: "/api/v1/auth/signin", ...json(wrong) })).status).toBe(401);
  const registration = { organization: "Acme", ...owner };
  expect((await send({ method: "POST", path: "/api/v1/register", ...json(registration) })).status).toBe(201);
  const signedIn = await send({ method: "POST", path: "/api/v1/auth/signin", ...json(owner) });
  expect(signedIn.status).toBe(200);
  const { token } = signedIn.json as { token: string };
  const as = (probe: Probe) => send({ ...probe, headers: { ...probe.headers, authorization: `Bearer ${token}` } });

  const created = await as({ method: "POST", path: ASSETS, ...json({ name: "café 😀", assetType: "agent" }) });
  expect(created).toMatchObject({ status: 201, json: { name: "café 😀" } });
  const { id } = created.json as { id: string };
  expect(created.headers.location).toBe(`${prefix}${ASSETS}/${id}`);
  const read = await as({ method: "GET", path: `${ASSETS}/${id}` });
  expect(read).toMatchObject({ status: 200, json: { id }, headers: { "cache-control": "no-store" } });
  const again = { "if-none-match": String(read.headers.etag) };
  expect((await as({ method: "GET", path: `${ASSETS}/${id}`, headers: again })).status).toBe(304);
  const moved = await as({ method: "PATCH", path: `${ASSETS}/${id}/lifecycle`, ...json({ status: "validation" }) });
  expect(moved).toMatchObject({ status: 200, json: { status: "validation" } });
  const found = await as({ method: "GET", path: `${ASSETS}?search=caf%C3%A9&assetType=agent` });
  expect(found).toMatchObject({ status: 200, json: { totalItems: 1, items: [{ id }] } });
  expect((await as({ method: "HEAD", path: ASSETS })).status).toBe(200);
  expect(await as({ method: "GET", path: `${ASSETS}/ast_nobody` })).toMatchObject({
    status: 404,
    json: { code: "not_found" },
  });
  expect(await as({ method: "GET", path: "/api/v1/users" })).toMatchObject({ status: 200, json: { totalItems: 1 } });
  const large = await as({ method: "POST", path: ASSETS, ...json({ name: "x".repeat(300 * 1024) }) });
  expect(large).toMatchObject({ status: 413, json: { code: "payload_too_large" } });
  const empty = await as({ method: "POST", path: ASSETS });
  expect(empty.status, "a body may be missing").toBe(201);
  await expectMiddleware(as, around);
  agent.destroy();
  return token;
}

async function expectMiddleware(as: (probe: Probe) => Promise<Answered>, around: Around): Promise<void> {
  const headers = { origin: ORIGIN, "accept-encoding": "gzip" };
  const { headers: reported } = await as({ method: "GET", path: ASSETS, headers });
  const seen = {
    cors: reported["access-control-allow-origin"] === ORIGIN,
    helmet: "strict-transport-security" in reported,
    compression: reported["content-encoding"] === "gzip",
  };
  expect(seen).toEqual(around);
  expect(reported["set-cookie"], "no session begins").toBeUndefined();
}
