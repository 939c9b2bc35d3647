import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type Backend, http, inProcess, openGuard, RunEndedError, runEndedOf } from "@reeve/guard";
import { guardTools as guardAiSdk } from "@reeve/guard/ai-sdk";
import { guardTools as guardLangchain } from "@reeve/guard/langchain";
import { guardTools as guardOpenAi } from "@reeve/guard/openai-agents";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Known, WAYS, World } from "./story/world.js";

let world: World;
let known: Known;
beforeAll(async () => {
  world = await World.open();
  known = await world.fill();
});
afterAll(() => world.close());

const open = (reeve: Backend, more = {}) => openGuard({ reeve, agent: "Teller", timeoutMs: 60_000, ...more });

/** The answers of a Reeve that says something more. */
function answering(change: (context: Record<string, unknown>) => object): Backend {
  const reeve = world.backend("over HTTP", known);
  return {
    ...reeve,
    async decide(question, signal) {
      const { decision, context } = (await reeve.decide(question, signal)) as {
        decision: boolean;
        context: Record<string, unknown>;
      };
      return { decision, context: { ...context, ...change(context) } };
    },
  };
}

describe("an obligation", () => {
  const stepUp = { type: "step-up", acr: "high" };
  const search = async (obligations: unknown, known?: object) => {
    const faults: unknown[] = [];
    const more = { onFault: (error: unknown) => faults.push(error), ...(known ? { obligations: known } : {}) };
    const guard = await open(
      answering(() => ({ obligations })),
      more,
    );
    const outcome = await guard.call("search", { query: "x" }, () => "found");
    return [outcome.refused ? outcome.code : outcome.value, faults.length];
  };

  it("that nobody carries out is a refusal, also beside one that is known", async () => {
    expect(await search([stepUp])).toEqual(["obligation_not_understood", 1]);
    expect(await search([{ type: "warn", message: "Watch it." }, stepUp])).toEqual(["obligation_not_understood", 1]);
    expect(await search([{ type: "toString" }], {})).toEqual(["obligation_not_understood", 1]);
  });

  it("is carried out before the tool runs, and a failure of that is a refusal", async () => {
    const seen: unknown[] = [];
    const known = { "step-up": (...given: unknown[]) => seen.push(given) };
    expect(await search([stepUp], known)).toEqual(["found", 0]);
    expect(seen).toEqual([[stepUp, { tool: "search", arguments: { query: "x" } }]]);
    const failing = { "step-up": () => Promise.reject(new Error("Nobody is there.")) };
    expect(await search([stepUp], failing)).toEqual(["obligation_not_understood", 1]);
  });

  it("to warn needs nobody", async () => expect(await search([{ type: "warn" }])).toEqual(["found", 0]));

  it("in a form that cannot be read is no decision", async () => {
    for (const odd of [undefined, null, "warn", [null], [{}], [{ type: 1 }]])
      expect(await search(odd)).toEqual(["undecided", 1]);
  });
});

describe("a decision that contradicts itself", () => {
  it("is none", async () => {
    const guard = await open(answering(() => ({ status: "deny" })));
    expect(await guard.call("search", {}, () => "found")).toMatchObject({ refused: true, code: "undecided" });
  });
});

describe("arguments", () => {
  const ran = async (args: unknown, meanwhile?: () => void) => {
    const reeve = world.backend("in process", known);
    const decide: Backend["decide"] = async (...given) => {
      meanwhile?.();
      return reeve.decide(...given);
    };
    const guard = await open({ ...reeve, decide });
    const outcome = await guard.call("search", args, () => "found");
    return outcome.refused ? outcome.code : outcome.value;
  };

  it("that JSON cannot carry whole are refused", async () => {
    const circle: { self?: object } = {};
    circle.self = circle;
    for (const odd of [{ a: Number.NaN }, { a: 1n }, { a: () => 1 }, { a: new Map() }, { a: Symbol("a") }, circle])
      expect(await ran(odd)).toBe("invalid_arguments");
    expect(await ran({ a: new Date(0), b: undefined, c: null, d: [1, "x", { e: true }] })).toBe("found");
    expect(await ran(undefined)).toBe("found");
  });

  it("that change while the decision is made are refused", async () => {
    const args = { query: "mine" };
    expect(
      await ran(args, () => {
        args.query = "yours";
      }),
    ).toBe("invalid_arguments");
  });
});

describe.each(WAYS)("%s", (way) => {
  it("an approval is waited for, and used as soon as somebody has given it", async () => {
    const reeve = world.backend(way, known);
    let asked = 0;
    const readApproval: Backend["readApproval"] = async (id, signal) => {
      asked += 1;
      if (asked === 2) await world.call("aiApprovals.approve", world.grace, { params: { id } });
      return reeve.readApproval(id, signal);
    };
    const guard = await open({ ...reeve, readApproval }, { approvalWaitMs: 60_000, approvalPollMs: 5 });
    const args = { amount: 700, to: way };
    expect(await guard.call("refund", args, () => "paid")).toEqual({ refused: false, value: "paid" });
    expect(asked).toBe(2);
  });

  it("a person of another tenant, and a session of one, change nothing", async () => {
    const { tenantId } = await world.controlPlane.ensureTenant({ externalId: "other", name: "Other Ltd" });
    const eve = await world.controlPlane.principalOf({
      ...{ tenantId, userId: "eve", username: "eve@other.example", roles: ["admin"] },
    });
    const theirs = await world.call("aiSessions.create", eve, { body: {} });
    await expect(open(world.backend(way, known), { session: theirs.id })).rejects.toThrow(/404|not found|deleted/i);
    const guard = await open(inProcess(world.controlPlane, eve));
    expect(await guard.call("search", { query: "x" }, () => "found")).toMatchObject({ code: "denied" });
  });

  it("what a tool throws is the host's, and the run goes on", async () => {
    const guard = await open(world.backend(way, known), { session: await world.startSession("Teller") });
    const failed = guard.call("search", {}, () => Promise.reject(new Error("no such index")));
    await expect(failed).rejects.toThrow("no such index");
    await guard.check();
    await guard.close();
    await expect(guard.check()).rejects.toSatisfy(RunEndedError.is);
  });

  it("a halt ends a running call, whose session stays as it is", async () => {
    const guard = await open(world.backend(way, known), {
      ...{ agent: "Night teller", session: await world.startSession("Night teller") },
    });
    const body = { scope: "team" as const, target: "night", reason: "The night shift answers nobody." };
    let halt: Promise<{ readonly id: string }> | undefined;
    const running = guard.call("wait", { seconds: 1 }, () => {
      halt = world.call("aiHalts.create", world.ada, { body });
      return new Promise(() => undefined);
    });
    const ended = await running.catch(runEndedOf);
    expect(ended).toMatchObject({ status: "active", reason: expect.stringContaining("halt:team:") });
    expect(guard.signal.reason).toBe(ended);
    await expect(guard.call("search", {}, () => "found")).rejects.toBe(ended);
    const { id } = (await halt) as { readonly id: string };
    await world.call("aiHalts.lift", world.grace, { params: { id }, body: { reason: "It answers again." } });
    await guard.close();
  });
});

describe("in process without doors", () => {
  it("ids are asked about, and names are unknown", async () => {
    const { operations, ...rest } = world.controlPlane;
    const plane = { ...rest, operations: operations.filter(({ id }) => id !== "authzen.evaluate") };
    const { items } = await world.call("aiAgents.list", world.ada, {});
    const id = items.find(({ name }) => name === "Teller")?.assetId as string;
    const guard = await openGuard({ reeve: inProcess(plane, world.joan), agent: id });
    expect(await guard.call("search", {}, () => "found")).toMatchObject({ code: "denied", message: /no asset/ });
  });
});

describe("over HTTP", () => {
  it("a lease without an answer ends the run in mid-call", async () => {
    let isAway = false;
    const server = createServer(async (request, response) => {
      if (isAway) return;
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk as Uint8Array);
      const { authorization = "" } = request.headers;
      const answer = await fetch(world.url + request.url, {
        method: request.method ?? "",
        headers: { authorization, "content-type": String(request.headers["content-type"]) },
        body: Buffer.concat(chunks),
      });
      response.writeHead(answer.status).end(await answer.text());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const session = await world.startSession("Teller");
    const guard = await open(http({ baseUrl, credential: known }), { session, leaseMs: 1_500 });
    const running = guard.call("wait", { seconds: 1 }, () => {
      isAway = true;
      return new Promise(() => undefined);
    });
    expect(await running.catch(runEndedOf)).toMatchObject({ status: "unknown", reason: "lease_lost" });
    server.closeAllConnections();
    await guard.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it("a refused token is renewed once, and a secret is in no error", async () => {
    const tokens = ["stale", ""];
    const granted = await fetch(`${world.url}/api/v1/auth/token`, {
      method: "POST",
      body: new URLSearchParams({
        ...{ grant_type: "client_credentials", client_id: known.clientId, client_secret: known.clientSecret },
      }),
    });
    tokens[1] = ((await granted.json()) as { access_token: string }).access_token;
    const guard = await open(http({ baseUrl: world.url, credential: () => tokens.shift() as string }));
    expect(await guard.call("search", {}, () => "found")).toMatchObject({ value: "found" });
    const faults: unknown[] = [];
    const wrong = http({ baseUrl: world.url, credential: { clientId: known.clientId, clientSecret: "hush-hush" } });
    const refused = await open(wrong, { onFault: (error: unknown) => faults.push(error) });
    expect(await refused.call("search", {}, () => "found")).toMatchObject({ code: "undecided" });
    expect(String(faults)).toMatch(/40[01]/);
    expect(String(faults)).not.toContain("hush");
  });
});

describe("a tool that runs elsewhere", () => {
  it("is not taken, because no guard can stand before it", async () => {
    const guard = await open(world.backend("in process", known));
    expect(() => guardOpenAi(guard, [{ type: "hosted_tool", name: "web_search" }])).toThrow(/web_search.*elsewhere/);
    expect(() => guardLangchain(guard, [{ type: "web_search" }])).toThrow(/elsewhere/);
    expect(() => guardAiSdk(guard, { ask: { description: "Asks the person" } })).toThrow(/ask.*elsewhere/);
  });
});

describe("the core of the package", () => {
  it("is at most 6 KB, compressed", async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
      ...{ bundle: true, minify: true, write: false, format: "esm", platform: "neutral" },
    });
    expect(gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length).toBeLessThanOrEqual(6 * 1_024);
  });
});
