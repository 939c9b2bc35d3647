import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import {
  type ConnectorContext,
  ConnectorError,
  callConnector,
  defineConnector,
  type InstanceParts,
  LISTING,
  type Page,
  type PageRequest,
  walk,
} from "#connectors/index.js";
import { guardedEgress, silentLogger } from "../../src/index.js";

const connector = defineConnector({
  manifest: {
    providerKey: "acme",
    interfaceVersion: 1,
    version: "1.0.0",
    displayName: "Acme",
    category: "code",
    description: "Models of Acme.",
    capabilities: ["test"],
    limits: { callSeconds: 1 },
  },
  configuration: z.object({}),
  secrets: z.object({ token: z.string() }),
  testConnection: async () => ({ checks: [], target: null }),
});

const SECRET = "s3cret-of-the-instance";

function partsOf(given: Partial<InstanceParts> = {}): InstanceParts {
  let [values, version] = [{ token: SECRET } as Readonly<Record<string, string>>, 1];
  let last: Promise<unknown> = Promise.resolve();
  return {
    tenantId: "tnt_1",
    instanceId: "ci_1",
    config: {},
    secrets: {
      read: async () => ({ values, version }),
      async replace(patch, at) {
        if (at !== version) throw new ConnectorError("conflict", "Somebody else has changed the secrets.");
        [values, version] = [{ ...values, ...patch }, version + 1];
      },
      exclusively<T>(work: () => Promise<T>) {
        const next = last.then(work, work);
        last = next.catch(() => undefined);
        return next;
      },
    },
    state: { get: async () => undefined, put: async () => undefined, delete: async () => undefined },
    egress: guardedEgress(),
    logger: silentLogger,
    admit: async () => undefined,
    ...given,
  };
}

/** A logger that keeps what it gets. */
function recorder() {
  const records: Record<string, unknown>[] = [];
  const at = (level: string) => (fields: object, text: string) => void records.push({ level, text, ...fields });
  return { records, logger: { info: at("info"), warn: at("warn"), error: at("error") } };
}

const FACTS = { capability: "test", correlationId: "c", idempotencyKey: "k" } as const;
const call = <T>(run: (ctx: ConnectorContext) => Promise<T>, parts = partsOf()) =>
  callConnector(connector, parts, FACTS, (_connector, ctx) => run(ctx));
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: ConnectorError) => error,
  );

async function listening(server: Server): Promise<AddressInfo> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server.address() as AddressInfo;
}

describe("a call of a connector", () => {
  it("that hangs ends at its limit, with the signal aborted", async () => {
    let signal: AbortSignal | undefined;
    const error = await failureOf(
      call((ctx) => {
        signal = ctx.signal;
        return new Promise(() => undefined);
      }),
    );
    expect(error).toMatchObject({ name: "ConnectorError", errorClass: "transient", code: "timeout" });
    expect(signal?.aborted).toBe(true);
  });

  it("knows how much of its time is left, and has none once it has ended", async () => {
    let kept: ConnectorContext | undefined;
    await call(async (ctx) => {
      kept = ctx;
      expect(ctx.timeLeft()).toBeGreaterThan(0);
      expect(ctx.timeLeft()).toBeLessThanOrEqual(1_000);
    });
    expect(kept?.timeLeft()).toBe(0);
  });

  it("that is given up ends at once", async () => {
    const leaving = new AbortController();
    const running = callConnector(connector, partsOf(), { ...FACTS, signal: leaving.signal }, () => {
      leaving.abort();
      return new Promise(() => undefined);
    });
    expect(await failureOf(running)).toMatchObject({ code: "abandoned" });
  });

  it("has a context that is useless after it", async () => {
    let kept: ConnectorContext | undefined;
    await call(async (ctx) => {
      kept = ctx;
    });
    expect(await failureOf((kept as ConnectorContext).fetch("https://example.com/"))).toMatchObject({
      code: "abandoned",
    });
  });

  it("quotes no secret in its failures and logs", async () => {
    const lines: string[] = [];
    const write = (fields: object, message: string) => void lines.push(JSON.stringify(fields) + message);
    const logger = { info: write, warn: write, error: write };
    const error = await failureOf(
      call(async (ctx) => {
        const token = await ctx.secret("token" as never);
        ctx.logger.warn({ sent: [{ token }] }, `used ${token}`);
        throw new ConnectorError("auth", `refused ${token}`, { code: token });
      }, partsOf({ logger })),
    );
    expect([error.message, error.code, ...lines].join(" ")).not.toContain(SECRET);
    expect(error).toMatchObject({ errorClass: "auth", message: "refused ***" });
  });

  it.each<[string, (secret: string) => unknown, RegExp]>([
    ["a property of nothing", () => (undefined as never as { x: 1 }).x, /^Cannot read properties of undefined/],
    ["a secret in a text", (secret) => Promise.reject(new TypeError(`no ${secret}!`)), /^no \*\*\*!$/],
    ["the beginning of a secret in a text", (secret) => JSON.parse(secret), /^Unexpected token 's', "\*\*\*"/],
    ["a part of a secret in a text", (secret) => JSON.parse(`{"key": oo${secret}"}`), /"key": oo\*\*\*"/],
    [
      "a secret as Base64 in a text",
      (secret) => new Headers([["a", `Basic ${Buffer.from(`user:${secret}`).toString("base64")}\n!`]]),
      /"Basic \w*\*\*\*/,
    ],
    [
      "a long text that ends in a secret",
      (secret) => Promise.reject(new Error("x".repeat(7_998) + secret)),
      /^x+\u2026$/,
    ],
    ["no error", (secret) => Promise.reject(`no error ${secret}`), /^no error \*\*\*$/],
    [
      "an error that cannot be read",
      () => Promise.reject(Object.defineProperty(new Error(), "message", { get: () => JSON.parse("") })),
      /^It cannot be read\.$/,
    ],
  ])("that throws %s by mistake warns the host once, and quotes no secret", async (_what, mistake, message) => {
    const { logger, records } = recorder();
    const error = await failureOf(call(async () => mistake(SECRET), partsOf({ logger })));
    expect(error).toMatchObject({ errorClass: "transient", code: "unexpected", message: "The connector failed." });
    const about = {
      tenantId: "tnt_1",
      instanceId: "ci_1",
      providerKey: "acme",
      capability: "test",
      correlationId: "c",
    };
    const thrown = expect.objectContaining({ name: expect.any(String), message: expect.stringMatching(message) });
    const text = "a connector failed unexpectedly";
    expect(records).toEqual([{ level: "warn", text, ...about, error: thrown }]);
    const reported = JSON.stringify(records[0]?.error);
    for (const quoted of [SECRET, Buffer.from(`user:${SECRET}`).toString("base64").slice(8)])
      for (let at = 0; at + 8 <= quoted.length; at += 1) expect(reported).not.toContain(quoted.slice(at, at + 8));
  });

  it("that fails by what its context refuses as a mistake warns of what is behind it", async () => {
    const { logger, records } = recorder();
    const headers = { authorization: `Bearer ${SECRET}\n` };
    const send = call(
      (ctx) => ctx.fetch("https://example.com/", { headers: [["a", `${headers.authorization}!`]] }),
      partsOf({ logger }),
    );
    expect(await failureOf(send)).toMatchObject({ code: "unexpected" });
    expect(records).toMatchObject([{ error: { name: "TypeError", message: expect.stringContaining("Bearer ***") } }]);
  });

  it("that fails as its connector means it warns nobody", async () => {
    const { logger, records } = recorder();
    const parts = partsOf({ logger });
    const meant = new ConnectorError("transient", "It is away.", { code: "away", cause: new Error("reset") });
    await failureOf(call(() => Promise.reject(meant), parts));
    await failureOf(call((ctx) => ctx.fetch("http://127.0.0.1:1/"), parts));
    await failureOf(call(() => new Promise(() => undefined), parts));
    expect(records).toEqual([]);
  });

  it("whose secrets cannot be read warns without a word of its error", async () => {
    const { logger, records } = recorder();
    const { secrets, ...rest } = partsOf({ logger });
    const unread = { ...secrets, read: () => Promise.reject(new Error("the store is gone")) };
    await failureOf(call(() => Promise.reject(new Error(`no ${SECRET}`)), { ...rest, secrets: unread }));
    expect(records).toMatchObject([{ providerKey: "acme", error: "Error: the store is gone" }]);
    expect(JSON.stringify(records)).not.toContain(SECRET);
  });

  it("that fails by mistake ends at its limit, though its secrets are read for ever", async () => {
    const { logger, records } = recorder();
    const { secrets, ...rest } = partsOf({ logger });
    const silent = { ...secrets, read: () => new Promise<never>(() => undefined) };
    const failed = await failureOf(call(() => Promise.reject(new Error("no")), { ...rest, secrets: silent }));
    expect([failed.code, records]).toEqual(["unexpected", []]);
  });

  it("quotes no rest of a secret that begins with another one", async () => {
    const longer = `${SECRET}-9f8e7d6c`;
    const error = await failureOf(
      call(async (ctx) => {
        const token = await ctx.secret("token" as never);
        await ctx.refreshSecrets({ token }, async () => ({ token: longer }));
        throw new ConnectorError("auth", `refused ${longer}, and ${token} before`);
      }),
    );
    expect(error.message).toBe("refused ***, and *** before");
  });

  it("quotes nothing that a request has authenticated with", async () => {
    const basic = Buffer.from(`user:${SECRET}`).toString("base64");
    const error = await failureOf(
      call(async (ctx) => {
        const headers = { authorization: `Basic ${basic}` };
        await ctx.fetch("http://127.0.0.1:1/", { headers }).catch(() => undefined);
        throw new ConnectorError("auth", `refused ${headers.authorization}`);
      }),
    );
    expect(error.message).toBe("refused Basic ***");
  });

  it("reaches no target that the deployment does not permit", async () => {
    const targets: readonly ((ctx: ConnectorContext) => Promise<unknown>)[] = [
      (ctx) => ctx.fetch("http://127.0.0.1:1/"),
      (ctx) => ctx.address("127.0.0.1", 5432),
      (ctx) => ctx.address("a/b", 80),
      (ctx) => ctx.address("db.example.com", 5432),
    ];
    for (const reach of targets)
      expect(await failureOf(call(reach))).toMatchObject({ errorClass: "config", code: "target_not_allowed" });
    const parts = partsOf({ egress: guardedEgress({ allow: ["127.0.0.1/32"] }) });
    expect(await call((ctx) => ctx.address("127.0.0.1", 5432), parts)).toEqual({
      address: "127.0.0.1",
      port: 5432,
      serverName: "127.0.0.1",
    });
  });

  it("asks whether it may go out before each call", async () => {
    const stopped = partsOf({ admit: () => Promise.reject(new ConnectorError("transient", "It is stopped.")) });
    expect(await failureOf(call((ctx) => ctx.fetch("https://example.com/"), stopped))).toMatchObject({
      message: "It is stopped.",
    });
    expect(await failureOf(call((ctx) => ctx.permit(), stopped))).toMatchObject({ message: "It is stopped." });
    expect(await call((ctx) => ctx.permit())).toBeUndefined();
  });

  it("fails for an answer that is too large as one that will not get better, where nothing was written", async () => {
    const endless = createServer((_request, response) => response.end(Buffer.alloc(9_000_000)));
    const { port } = await listening(endless);
    const parts = partsOf({ egress: guardedEgress({ allow: ["127.0.0.1/32"] }) });
    const read = async (ctx: ConnectorContext) => (await ctx.fetch(`http://127.0.0.1:${port}/`)).text();
    expect(await failureOf(call(read, parts))).toMatchObject({ errorClass: "invalid", code: "too_large" });
    const writing = { ...connector, endSessions: async () => ({ ended: 0 }) };
    const written = callConnector(writing, parts, { ...FACTS, capability: "sessions" }, (_one, ctx) => read(ctx));
    expect(await failureOf(written)).toMatchObject({ errorClass: "outcome_unknown", code: "too_large" });
  });

  it("fails for a write without an answer as one whose outcome is not known", async () => {
    const writing = defineConnector({
      ...connector,
      manifest: { ...connector.manifest, capabilities: ["test", "sessions"] },
      endSessions: async () => {
        throw new Error("reset");
      },
    });
    const run = callConnector(writing, partsOf(), { ...FACTS, capability: "sessions" }, (one, ctx) =>
      (one.endSessions as NonNullable<typeof one.endSessions>)(ctx, { type: "user", externalId: "x" }),
    );
    expect(await failureOf(run)).toMatchObject({ errorClass: "outcome_unknown", message: "The connector failed." });
  });

  it("refreshes secrets once, however many notice that they are old", async () => {
    const parts = partsOf();
    let refreshed = 0;
    const refresh = (ctx: ConnectorContext) =>
      ctx.refreshSecrets({ token: SECRET }, async () => {
        refreshed += 1;
        return { token: "the-next" };
      });
    const all = await Promise.all(Array.from({ length: 8 }, () => call(refresh, parts)));
    expect(refreshed).toBe(1);
    expect(new Set(all.map(({ token }) => token))).toEqual(new Set(["the-next"]));
  });
});

describe("a walk through a listing", () => {
  it("ends when its pages have more bytes together than are read", async () => {
    const length = 4_000_000;
    let read = 0;
    const endless = async (): Promise<Page<string>> => {
      read += 1;
      return { items: [String(read).padEnd(length, "x")], nextCursor: String(read), complete: false };
    };
    const walking = (async () => {
      for await (const _page of walk(endless, { limit: 1 }));
    })();
    await expect(walking).rejects.toMatchObject({ errorClass: "invalid", code: "too_many" });
    expect(read).toBe(Math.ceil(LISTING.bytes / (length + 2)));
  });

  const pages = (given: Record<string, Page<number>>) => async (page: PageRequest) =>
    given[page.cursor ?? ""] as Page<number>;
  const all = async (read: (page: PageRequest) => Promise<Page<number>>) => {
    const seen = [];
    for await (const page of walk(read, { limit: 2 })) seen.push(page);
    return seen;
  };

  it("ends with the last page, which alone is complete", async () => {
    const seen = await all(
      pages({
        "": { items: [1, 2], nextCursor: "a", complete: true },
        a: { items: [], nextCursor: "b", complete: false },
        b: { items: [3], complete: true },
      }),
    );
    expect(seen.map(({ items, complete }) => [items, complete])).toEqual([
      [[1, 2], false],
      [[], false],
      [[3], true],
    ]);
  });

  it.each([
    [
      "pagination_loop",
      { "": { items: [], nextCursor: "a", complete: false }, a: { items: [], nextCursor: "a", complete: false } },
    ],
    ["page_too_large", { "": { items: [1, 2, 3, 4, 5], complete: true } }],
  ])("refuses with %s", async (code, given) => {
    expect(await failureOf(all(pages(given)))).toMatchObject({ errorClass: "invalid", code });
  });
});
