import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ConnectorError, defineConnector, pageOf } from "@reeve/core/connectors";
import {
  connectorCalls,
  connectorParts,
  instanceMemory,
  instanceMemoryContract,
  listAll,
  withContext,
} from "@reeve/testkit/connectors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

const SECRET = "s3cret-of-the-instance";

const connector = defineConnector({
  manifest: {
    providerKey: "acme",
    interfaceVersion: 1,
    version: "1.0.0",
    displayName: "Acme",
    category: "model",
    description: "Models of Acme.",
    capabilities: ["test", "discover"],
  },
  configuration: z.object({ url: z.url(), pages: z.number().default(3) }),
  secrets: z.object({ token: z.string() }),
  async testConnection(ctx) {
    const token = await ctx.secret("token");
    ctx.logger.warn({ token }, "tested");
    const { status } = await ctx.fetch(ctx.config.url, { headers: { authorization: token } });
    if (status !== 204) throw new ConnectorError("auth", `refused ${token}`);
    return { checks: [], target: null };
  },
  discoverAssets: async (ctx, page) =>
    pageOf(
      Array.from({ length: ctx.config.pages }, (_, at) => ({ externalId: `m${at}`, assetType: "model", name: "m" })),
      page,
    ),
});

let server: Server;
let config: { url: string };
beforeAll(async () => {
  server = createServer((request, response) => {
    response.writeHead(request.headers.authorization === SECRET ? 204 : 401).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  config = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
});
afterAll(async () => {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
});

const partsOf = (token = SECRET) => connectorParts(connector, { config, secrets: { token }, allow: ["127.0.0.1/32"] });

describe("parts of a connector in memory", () => {
  it("call its methods as the control plane does, and note what went out and was logged", async () => {
    const parts = partsOf();
    expect(await connectorCalls(connector, parts).testConnection()).toEqual({ checks: [], target: null });
    expect(parts.egress.calls).toEqual([{ kind: "http", method: "GET", url: config.url }]);
    expect(parts.lines).toMatchObject([{ level: "warn", fields: { token: "***" }, message: "tested" }]);
  });

  it("mask what a failure quotes", async () => {
    const failing = connectorCalls(connector, partsOf("another-secret")).testConnection();
    await expect(failing).rejects.toMatchObject({ name: "ConnectorError", errorClass: "auth", message: "refused ***" });
  });

  it("reach nothing that is not allowed", async () => {
    const parts = connectorParts(connector, { config, secrets: { token: SECRET } });
    await expect(connectorCalls(connector, parts).testConnection()).rejects.toMatchObject({ errorClass: "config" });
  });

  it("parse the configuration, and refuse one that is not valid", async () => {
    expect(partsOf().config).toEqual({ ...config, pages: 3 });
    expect(() => connectorParts(connector, { config: { url: 1 }, secrets: { token: SECRET } })).toThrow(z.ZodError);
    expect(() => connectorParts(connector, { config })).toThrow(z.ZodError);
  });

  it("walk a listing to its end", async () => {
    const calls = connectorCalls(connector, partsOf());
    const listed = await listAll((page) => calls.discoverAssets(page), 2);
    expect(listed).toMatchObject({ complete: true, pages: 2 });
    expect(listed.items.map(({ externalId }) => externalId)).toEqual(["m0", "m1", "m2"]);
  });

  it("carry secrets and state over to another process, as JSON", async () => {
    const parts = partsOf();
    await withContext(connector, parts, async (ctx) => {
      await ctx.state.put("since", { at: new Date(0), none: undefined });
      await ctx.refreshSecrets({ token: SECRET }, async () => ({ token: "the-next" }));
    });
    const other = connectorParts(connector, { config, memory: parts.memory });
    await withContext(connector, other, async (ctx) => {
      expect(await ctx.state.get("since")).toEqual({ at: "1970-01-01T00:00:00.000Z" });
      expect(await ctx.secret("token" as never)).toBe("the-next");
    });
  });
});

instanceMemoryContract("in memory", async (secrets) => {
  const memory = instanceMemory(secrets);
  return () => memory;
});
