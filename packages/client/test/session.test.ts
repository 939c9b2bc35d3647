import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../src/index.js";
import { observed, SETTINGS, type Service, startService } from "./servers.js";

const ASSETS = "/api/v1/ai-assets";
const HOUR = 3_600_000;
/** Beyond the lifetime of tokens and what clocks may differ by. */
const LATER = HOUR + 300_000;

describe.each(SETTINGS)("tokens on $name", (setting) => {
  let service: Service;
  beforeEach(async () => {
    service = await startService(setting, { tokenLifetime: 3_600, refreshTokenLifetime: 86_400 });
  });
  afterEach(() => service.close());

  it("come from one sign-in for all requests, then from refresh tokens, then from another sign-in", async () => {
    const { fetch, sent } = observed();
    const client = createClient({ baseUrl: service.url, signIn: service.account, fetch });
    const several = () => Promise.all(Array.from({ length: 4 }, () => client.GET(ASSETS)));
    const taken = () => sent().filter((request) => request.startsWith("POST /auth"));
    await several();
    expect(taken()).toEqual(["POST /auth/signin"]);
    for (const renewals of [1, 2]) {
      service.plane.clock.advance(LATER);
      await several();
      expect(taken()).toEqual(["POST /auth/signin", ...Array(renewals).fill("POST /auth/token")]);
    }
    service.plane.clock.advance(25 * HOUR);
    await several();
    expect(taken().slice(-2)).toEqual(["POST /auth/token", "POST /auth/signin"]);
  });

  it("are not asked for in vain: a wrong password is the refusal of every call", async () => {
    const signIn = { ...service.account, password: "another pass phrase" };
    const { fetch, sent } = observed();
    const client = createClient({ baseUrl: service.url, signIn, fetch });
    for (const _ of [1, 2])
      await expect(client.GET(ASSETS)).rejects.toMatchObject({ status: 401, code: "invalid_credentials" });
    expect(sent()).toEqual(["POST /auth/signin", "POST /auth/signin"]);
  });

  it("of the caller are asked for anew when they are refused", async () => {
    const signIn = createClient({ baseUrl: service.url });
    let held = "";
    const token = async () => {
      held = (await signIn.POST("/api/v1/auth/signin", { body: service.account })).data.token;
      return held;
    };
    const client = createClient({ baseUrl: service.url, token });
    await client.GET(ASSETS);
    const fixed = createClient({ baseUrl: service.url, token: held });
    await fixed.GET(ASSETS);
    const { fetch, requests } = observed();
    const stale = createClient({ baseUrl: service.url, token: () => (requests.length === 0 ? "spent" : held), fetch });
    await stale.GET(ASSETS);
    expect(requests).toHaveLength(2);
    service.plane.clock.advance(LATER);
    await client.GET(ASSETS);
    await expect(fixed.GET(ASSETS)).rejects.toMatchObject({ status: 401, code: "token_expired" });
  });

  it("of a call's own header come before those of the client", async () => {
    const client = createClient({ baseUrl: service.url, signIn: service.account });
    const call = client.GET(ASSETS, { headers: { authorization: "Bearer of nobody" } });
    await expect(call).rejects.toMatchObject({ status: 401 });
  });

  it("of AI identities come from their credentials", async () => {
    const owner = createClient({ baseUrl: service.url, signIn: service.account });
    const { data: identity } = await owner.POST("/api/v1/ai/identities", {
      body: { name: "triage", configuration: { scopes: ["ai-asset:read"] } },
    });
    const params = { path: { id: identity.id } };
    const { data } = await owner.POST("/api/v1/ai/identities/{id}/credentials", { params });
    const clientCredentials = {
      clientId: data.clientId,
      clientSecret: data.clientSecret ?? "",
      scope: "ai-asset:read",
    };
    const { fetch, sent } = observed();
    const machine = createClient({ baseUrl: service.url, clientCredentials, fetch });
    await machine.GET(ASSETS);
    service.plane.clock.advance(2 * HOUR);
    await machine.GET(ASSETS);
    const call = "GET /ai-assets";
    expect(sent()).toEqual(["POST /auth/token", call, call, "POST /auth/token", call]);
    await expect(machine.POST(ASSETS)).rejects.toMatchObject({ status: 403, code: "permission_denied" });
  });

  it("may be waited for no longer than the caller's signal allows", async () => {
    const reason = new Error("the user went away");
    const controller = new AbortController();
    const held = observed();
    const client = createClient({
      baseUrl: service.url,
      signIn: service.account,
      fetch: async (request) => {
        controller.abort(reason);
        return held.fetch(request);
      },
    });
    await expect(client.GET(ASSETS, { signal: controller.signal })).rejects.toBe(reason);
    expect((await client.GET(ASSETS)).response.status).toBe(200);
    expect(held.sent()).toEqual(["POST /auth/signin", "GET /ai-assets"]);
  });
});
