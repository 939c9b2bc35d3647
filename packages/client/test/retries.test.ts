import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createClient, ProblemError } from "../src/index.js";
import { observed, SETTINGS, type Service, startService } from "./servers.js";

const LIMITS = { tenant: 1_000, principal: 20, address: 1_000, credential: 1_000, expensive: 1_000 };
const ASSETS = "/api/v1/ai-assets";

/** Stands still until it is started. */
function startableClock() {
  let [base, since] = [Date.parse("2026-01-05T09:00:00.000Z"), Number.NaN];
  return {
    now: () => Math.floor(base + (performance.now() - since || 0)),
    advance: (milliseconds: number) => {
      base += milliseconds;
    },
    start: () => {
      since = performance.now();
    },
  };
}

describe.each(SETTINGS)("repeated requests on $name", (setting) => {
  let service: Service;
  let token: string;
  let clock: ReturnType<typeof startableClock>;
  beforeEach(async () => {
    clock = startableClock();
    service = await startService(setting, { rateLimits: LIMITS, clock });
    const { data } = await createClient({ baseUrl: service.url }).POST("/api/v1/auth/signin", {
      body: service.account,
    });
    token = data.token;
  });
  afterEach(() => service.close());

  const seconds = (answer: Response) => Number(answer.headers.get("retry-after"));

  /** Uses the limit up, and gives the first refusal. */
  async function limited(): Promise<ProblemError> {
    const client = createClient({ baseUrl: service.url, token, retries: 0 });
    for (;;) {
      const error = await client.GET(ASSETS).then(
        () => undefined,
        (refused: unknown) => refused,
      );
      if (ProblemError.is(error)) return error;
    }
  }

  it("wait as long as the rate limiter says", async () => {
    const refused = await limited();
    expect(refused).toMatchObject({ status: 429, code: "rate_limited", retryable: true });
    // From here on the service's time passes as ours does, so that a repeat which comes too early is refused again.
    clock.advance((seconds(refused.response) - 1) * 1_000);
    clock.start();
    const { fetch, requests } = observed();
    const client = createClient({ baseUrl: service.url, token, fetch, retries: 2 });
    expect((await client.POST(ASSETS, { body: { name: "late" } })).data.name).toBe("late");
    const keys = requests.map(({ headers }) => headers.get("idempotency-key"));
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(requests.length).toBeGreaterThan(1);
  });

  it("end at the number of tries, and at a wait that is too long", async () => {
    const wait = seconds((await limited()).response);
    const { fetch, requests } = observed();
    const impatient = createClient({ baseUrl: service.url, token, fetch, maxRetryDelay: wait * 1_000 - 2_000 });
    await expect(impatient.GET(ASSETS)).rejects.toMatchObject({ code: "rate_limited" });
    expect(requests).toHaveLength(1);
    clock.advance((wait - 1) * 1_000);
    const patient = createClient({ baseUrl: service.url, token, fetch, retries: 1, maxRetryDelay: 1_000 });
    await expect(patient.GET(ASSETS)).rejects.toMatchObject({ code: "rate_limited" });
    expect(requests).toHaveLength(3);
  });

  it("end with the caller's signal, while they wait and before they begin", async () => {
    await limited();
    const reason = new Error("the user went away");
    const controller = new AbortController();
    const { fetch, requests } = observed(() => controller.abort(reason));
    const client = createClient({ baseUrl: service.url, token, fetch });
    await expect(client.GET(ASSETS, { signal: controller.signal })).rejects.toBe(reason);
    await expect(client.GET(ASSETS, { signal: controller.signal })).rejects.toBe(reason);
    expect(requests).toHaveLength(1);
  });

  it("do a write once whose answer was lost", async () => {
    const { fetch, requests } = observed(() => {
      if (requests.length === 1) throw new TypeError("the connection was reset");
    });
    const client = createClient({ baseUrl: service.url, token, fetch });
    const { data } = await client.POST(ASSETS, { body: { name: "once" } });
    expect(requests).toHaveLength(2);
    const { data: found } = await client.GET(ASSETS);
    expect(found.items.map(({ id }) => id)).toEqual([data.id]);
  });

  it("are not made of a condition, whose second answer would tell of the caller's own change", async () => {
    const { data } = await createClient({ baseUrl: service.url, token }).POST(ASSETS, { body: { name: "mine" } });
    const { fetch, requests } = observed(() => {
      throw new TypeError("the connection was reset");
    });
    const client = createClient({ baseUrl: service.url, token, fetch });
    const params = { path: { id: data.id } };
    const change = { params, body: { name: "changed" } };
    await expect(client.PUT(`${ASSETS}/{id}`, { ...change, ifMatch: data })).rejects.toThrow("was reset");
    expect(requests).toHaveLength(1);
    await expect(client.PUT(`${ASSETS}/{id}`, change)).rejects.toThrow("was reset");
    expect(requests.length).toBeGreaterThan(2);
  });

  it("tell of a lost answer, where a deletion was done and its repeat finds nothing", async () => {
    const { data } = await createClient({ baseUrl: service.url, token }).POST(ASSETS, { body: { name: "gone" } });
    const { fetch, requests } = observed(() => {
      if (requests.length === 1) throw new TypeError("the connection was reset");
    });
    const client = createClient({ baseUrl: service.url, token, fetch });
    const deletion = client.DELETE(`${ASSETS}/{id}`, { params: { path: { id: data.id } } });
    await expect(deletion).rejects.toThrow("the connection was reset");
    expect(requests).toHaveLength(2);
  });

  it("take the caller's key", async () => {
    const client = createClient({ baseUrl: service.url, token });
    const init = { body: { name: "order 7" }, idempotencyKey: "order-7" };
    const [first, second] = [await client.POST(ASSETS, init), await client.POST(ASSETS, init)];
    expect(second.data).toEqual(first.data);
    const other = client.POST(ASSETS, { ...init, body: { name: "order 8" } });
    await expect(other).rejects.toMatchObject({ status: 422, code: "idempotency_key_reused" });
  });

  it("are not made where a lost answer leaves open whether it was done", async () => {
    const { fetch, requests } = observed(() => {
      throw new TypeError("the connection was reset");
    });
    const client = createClient({ baseUrl: service.url, fetch });
    const body = {
      organization: "Hopper Inc",
      username: "grace@hopper.example",
      password: "four blue kettles at dawn",
    };
    await expect(client.POST("/api/v1/register", { body })).rejects.toThrow("the connection was reset");
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers.get("idempotency-key")).toBeNull();
  });
});

describe("a service that is not Reeve", () => {
  /** Answers each request with the next of these. */
  async function asked(...answers: [status: number, headers: Record<string, string>, body: string][]) {
    let count = 0;
    const server = createServer((_request, response) => {
      const [status, headers, body] = answers[count++] ?? [200, { "content-type": "application/json" }, "{}"];
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const register = { body: { organization: "x", username: "x", password: "x" } };
    const end = () => {
      server.closeAllConnections();
      server.close();
      return count;
    };
    return { client: createClient({ baseUrl, retries: 2 }), register, end };
  }

  it("is told by a refusal without a code", async () => {
    const { client, end } = await asked([502, { "content-type": "text/html", "x-request-id": "r-1" }, "<h1>Bad</h1>"]);
    const refused = client.GET(ASSETS);
    await expect(refused).rejects.toMatchObject({
      status: 502,
      message: "502 Bad Gateway",
      requestId: "r-1",
      errors: [],
    });
    await expect(refused).rejects.toHaveProperty("code", undefined);
    expect(end()).toBe(1);
  });

  it("may answer where another class stands for Response", async () => {
    vi.stubGlobal("Response", class extends Response {});
    const { client, end } = await asked([503, { "retry-after": "0" }, ""]);
    expect((await client.GET(ASSETS)).data).toEqual({});
    expect(end()).toBe(2);
    vi.unstubAllGlobals();
  });

  it("may say when to come back as a date", async () => {
    const { client, end } = await asked([503, { "retry-after": "Mon, 05 Jan 2026 09:00:00 GMT" }, ""]);
    expect((await client.GET(ASSETS)).data).toEqual({});
    expect(end()).toBe(2);
  });

  it("is not asked again for a write that may have been done", async () => {
    const problem = JSON.stringify({ code: "outcome_unknown", retryable: true });
    const { client, register, end } = await asked(
      [503, { "retry-after": "0" }, ""],
      [503, { "retry-after": "0" }, problem],
    );
    await expect(client.POST("/api/v1/register", register)).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(end()).toBe(2);
  });

  it.each([
    ["outcome_unknown", "outcome_unknown"],
    ["overloaded", "not_found"],
  ])("that finds nothing to delete after %s tells %s", async (first, reported) => {
    const headers = { "retry-after": "0" };
    const { client, end } = await asked(
      [503, headers, JSON.stringify({ code: first, retryable: true })],
      [404, {}, JSON.stringify({ code: "not_found" })],
    );
    const deletion = client.DELETE(`${ASSETS}/{id}`, { params: { path: { id: "ast_1" } } });
    await expect(deletion).rejects.toMatchObject({ code: reported });
    expect(end()).toBe(2);
  });
});
