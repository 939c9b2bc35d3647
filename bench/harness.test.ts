import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { verifyChain } from "@reeve/core";
import { createDatabase } from "@reeve/testkit/postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { whileAwake } from "./src/awake.js";
import { compare } from "./src/compare.js";
import { Contender } from "./src/contender.js";
import { seedEstate, signIn } from "./src/estate.js";
import { guardHere } from "./src/far-guards.js";
import { tailGoal, throughputGoal, verdict } from "./src/goals.js";
import { type Ground, type Grounds, sqliteGrounds } from "./src/grounds.js";
import { launchHere } from "./src/launch.js";
import { launchMcpHere } from "./src/mcp-launch.js";
import type { Mover } from "./src/mover.js";
import { operations } from "./src/operations.js";
import { readOptions } from "./src/options.js";
import { Progress } from "./src/progress.js";
import { renderReport, shortfalls } from "./src/report.js";
import { type Results, run } from "./src/run.js";
import { COMMON_TERM, RARE_TERM, sampleBody } from "./src/samples.js";
import type { ServerConfig } from "./src/server.js";
import { openStore } from "./src/subject.js";

const SIZE = 300;
const PATH = "/api/v1/ai-assets";
const KINDS = ["reeve", "dto", "text"] as const;
const silent = new Progress(Object.assign(Object.create(process.stderr), { isTTY: false, write: () => true }));

const activeChildren = () => process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly etag: string | null;
}

async function ask(contender: Contender, token: string, path: string, init: RequestInit = {}): Promise<Reply> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${contender.running.url}${path}`, { headers, ...init });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    etag: response.headers.get("etag"),
  };
}

/** What two servers cannot agree on: sealed cursors, ids, moments. */
function comparable({ status, body, etag }: Reply): unknown {
  const { nextCursor, id, createdAt, updatedAt, ...rest } = body;
  return { status, etag, body: "items" in body ? { ...rest, more: nextCursor !== null } : rest };
}

/** The ways to write the handlers, on one store. */
function sameJob(
  store: string,
  framework: ServerConfig["framework"],
  ground: () => Ground,
  movers: Map<string, Mover>,
): void {
  describe(`the hand-written ${framework} server on ${store} does what Reeve does`, () => {
    const contenders: Contender[] = [];
    beforeAll(async () => {
      for (const kind of KINDS)
        contenders.push(await Contender.start(launchHere, { kind, framework }, ground(), movers));
    });
    afterAll(async () => {
      for (const contender of contenders) await contender.close();
    });

    async function agree(path: string, init?: RequestInit): Promise<Reply> {
      // One after the other: they share a database, and in one process nobody can wait for another's lock.
      const replies: Reply[] = [];
      for (const contender of contenders) replies.push(await ask(contender, ground().token, path, init));
      const [ours, ...theirs] = replies;
      for (const reply of theirs) expect(comparable(reply)).toEqual(comparable(ours as Reply));
      return ours as Reply;
    }

    it("reads an asset", async () => {
      const id = ground().estate.reads[3] as string;
      const { status, body } = await agree(`${PATH}/${id}`);
      expect([status, body.id]).toEqual([200, id]);
    });

    it.each([
      ["", 25],
      ["?size=10&page=2", 10],
      ["?assetType=agent", 25],
      ["?assetType=tool&size=5", 5],
      [`?search=${encodeURIComponent(RARE_TERM)}`, 7],
      [`?search=${COMMON_TERM}`, 25],
      ["?search=nothing+holds+this", 0],
    ])("lists with %s", async (query, items) => {
      const { status, body } = await agree(`${PATH}${query}`);
      expect([status, (body.items as unknown[]).length]).toEqual([200, items]);
    });

    it("goes on where a cursor points", async () => {
      const pages = await Promise.all(
        contenders.map(async (contender) => {
          const first = await ask(contender, ground().token, `${PATH}?size=20`);
          const cursor = encodeURIComponent(first.body.nextCursor as string);
          return ask(contender, ground().token, `${PATH}?size=20&cursor=${cursor}`);
        }),
      );
      const [ours, ...theirs] = pages.map(({ body }) => body.items as unknown[]);
      expect(ours).toHaveLength(20);
      for (const items of theirs) expect(items).toEqual(ours);
    });

    it("refuses a forged token, and none", async () => {
      for (const authorization of [`Bearer ${ground().token.slice(0, -8)}forged00`, ""]) {
        for (const contender of contenders) {
          const { status, body } = await ask(contender, "", PATH, { headers: authorization ? { authorization } : {} });
          expect([status, body.code]).toEqual([401, authorization ? "invalid_token" : "token_missing"]);
        }
      }
    });

    it("creates an asset, which is then read, listed and found", async () => {
      for (const [at, contender] of contenders.entries()) {
        const body = { ...sampleBody(5_000 + at), description: `unheard of ${framework} ${at}` };
        const created = await ask(contender, ground().token, PATH, { method: "POST", body: JSON.stringify(body) });
        expect(created.status).toBe(201);
        const read = await ask(contender, ground().token, `${PATH}/${created.body.id}`);
        expect(read.body).toEqual(created.body);
        const { body: list } = await ask(contender, ground().token, `${PATH}?size=1`);
        expect((list.items as unknown[])[0]).toEqual(created.body);
        await expect
          .poll(async () => {
            const { body: found } = await ask(
              contender,
              ground().token,
              `${PATH}?search=unheard+of+${framework}+${at}`,
            );
            return found.totalItems;
          })
          .toBe(1);
      }
    });

    it("makes the same record of the same body", async () => {
      await agree(PATH, { method: "POST", body: JSON.stringify(sampleBody(77)) });
    });

    it("moves an asset, and refuses an impossible move", async () => {
      for (const [at, contender] of contenders.entries()) {
        const id = ground().estate.reads[at + 20 + 10 * ["fastify", "express", "listener"].indexOf(framework)];
        const move = (status: string) =>
          ask(contender, ground().token, `${PATH}/${id}/lifecycle`, {
            method: "PATCH",
            body: JSON.stringify({ status }),
          });
        const { status, body } = await move("development");
        expect([status, body.status, body.version]).toEqual([200, "development", 2]);
        const refused = await move("registered");
        expect([refused.status, refused.body.code]).toEqual([409, "invalid_transition"]);
      }
    });

    it("answers every measured operation as expected under load", async () => {
      for (const operation of operations) {
        const measured = await compare(operation, contenders, { connections: 2, rounds: 1, length: { requests: 12 } });
        expect(measured.subject.requests).toBe(12);
        expect(measured.references.dto?.ratio.rps).toBeGreaterThan(0);
      }
    });

    it("leaves an event chain that verifies, and exact counters", async () => {
      for (const { database } of contenders) {
        const store = openStore(database);
        const tenant = store.forTenant(ground().estate.tenantId);
        const chain = await verifyChain(tenant);
        expect(chain).toMatchObject({ valid: true, complete: true });
        expect(chain.checked).toBeGreaterThan(30);
        await store.close();
      }
      const lists = await Promise.all(contenders.map((contender) => ask(contender, ground().token, `${PATH}?size=1`)));
      for (const { body } of lists) expect(body.totalItems).toBeGreaterThan(SIZE);
    });
  });
}

describe("the harness on SQLite", () => {
  const cache = mkdtempSync(join(tmpdir(), "reeve-bench-test-"));
  let grounds: Grounds;
  const made = new Map<string, Ground>();
  const movers = new Map<string, Mover>();
  beforeAll(async () => {
    grounds = sqliteGrounds(silent, cache);
    const ground = await grounds.ground(SIZE);
    made.set("sqlite", { ...ground, database: () => ground.database("shared") });
  });
  afterAll(async () => {
    await grounds.close();
    rmSync(cache, { recursive: true, force: true });
  });
  for (const framework of ["fastify", "express", "listener"] as const) {
    sameJob("SQLite", framework, () => made.get("sqlite") as Ground, movers);
  }
});

describe("the harness on Postgres", () => {
  let ground: Ground;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await createDatabase(inject("postgresUrl"));
    drop = database.drop;
    const place = { store: "postgres", location: database.url } as const;
    const store = openStore(place);
    await store.migrate();
    const estate = await seedEstate(store, SIZE, silent);
    ground = { estate, token: await signIn(store), database: () => place };
    await store.close();
  });
  afterAll(() => drop());
  sameJob("Postgres", "fastify", () => ground, new Map());
});

describe("a whole run", () => {
  it("keeps the cores awake only where it is wanted, and only as long as the work lasts, however that ends", async () => {
    const before = activeChildren();
    const asLongAs = (wanted: boolean) => whileAwake(wanted, async () => activeChildren() - before);
    expect(await asLongAs(true)).toBe(availableParallelism());
    await expect.poll(activeChildren).toBe(before);
    expect(await asLongAs(false)).toBe(0);
    await expect(whileAwake(true, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect.poll(activeChildren).toBe(before);
  });

  it("measures, judges and reports", async () => {
    const options = readOptions(
      "--sizes 150,300 --stores sqlite --frameworks listener --connections 2 --rounds 1 --seconds 0.1 --operations read,create,denied --parts http,store,growth,identity,sessions,mcp,import --imports 60 --no-results".split(
        " ",
      ),
      "unused",
    );
    const cache = mkdtempSync(join(tmpdir(), "reeve-bench-test-"));
    const launches = { server: launchHere, guards: guardHere, mcp: launchMcpHere };
    const results: Results = await run(options, launches, silent, cache);
    rmSync(cache, { recursive: true, force: true });
    expect(results.http.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(["read", "create", "denied"]),
    );
    expect(results.growth.map(({ operation }) => operation)).toContain("cursor page at 90 %");
    expect(results.store).toHaveLength(6);
    expect(results.identity.map(({ store }) => store)).toEqual(["sqlite"]);
    expect(results.sessions.map(({ store }) => store)).toEqual(["sqlite"]);
    expect(results.imports).toMatchObject([{ store: "sqlite", items: 60 }]);
    expect(results.imports[0]?.ratio).toBeGreaterThan(0);
    const report = renderReport(results);
    expect(report).toContain("| termination until cancelled, same process, median | sqlite |");
    expect(report).toContain("| sqlite | 60 |");
    expect(report).toContain("| read | listener + sqlite, 150 | 2 | values | rps |");
    for (const { verdict: judged } of shortfalls(results)) expect(judged).toBe("BELOW");
  });

  it("says what is wrong with its options", () => {
    expect(() => readOptions(["--stores", "oracle"], "")).toThrow("--stores knows sqlite, postgres");
    expect(() => readOptions(["--rounds", "few"], "")).toThrow("--rounds takes numbers above 0");
  });

  it("judges by the published goals", () => {
    const read = throughputGoal("sqlite", "fastify", "read");
    expect([0.79, 0.8, 1].map((ratio) => verdict(ratio, read))).toEqual(["BELOW", "must", "aim"]);
    expect([2, 2.1].map((ratio) => verdict(ratio, tailGoal("create", 2)))).toEqual(["must", "BELOW"]);
    expect(verdict(9, throughputGoal("sqlite", "fastify", "search"))).toBe("");
  });
});
