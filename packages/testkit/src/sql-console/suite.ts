import { type Store, StoreError, sha256 } from "@reeve/core/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTILE, type Hostile } from "./hostile.js";
import { type ConsoleSetting, prepareConsole } from "./setting.js";

/** A store with a console, and a way to inspect its tables from outside. */
export interface ConsoleUnderTest {
  readonly store: Store;
  /** A digest of every table, without the events of one tenant. */
  digest(exceptEventsOf: string): Promise<string>;
  /** Other texts that no answer may contain, such as the path of a file. */
  readonly inside: readonly string[];
  dispose(): Promise<void>;
}

export interface SqlConsoleOptions {
  readonly name: string;
  readonly dialect: keyof typeof HOSTILE;
  create(): Promise<ConsoleUnderTest>;
}

/** How many of the endless statements run into the operation's limit of five seconds. */
const WAITED_FOR = 1;

/** Declares the tests of the provider's SQL console as vitest cases. */
export function describeSqlConsole(options: SqlConsoleOptions): void {
  const parameter = options.dialect === "postgres" ? "$1" : "?";

  describe(`SQL console: ${options.name}`, { timeout: 60_000 }, () => {
    let under: ConsoleUnderTest;
    let setting: ConsoleSetting;
    beforeAll(async () => {
      under = await options.create();
      setting = await prepareConsole(under.store);
    });
    afterAll(() => under.dispose());

    const ask: ConsoleSetting["ask"] = async (...asked) => {
      const answer = await setting.ask(...asked);
      for (const secret of [...setting.secrets, ...under.inside]) expect(answer.text).not.toContain(secret);
      return answer;
    };
    const store = (more: object) => {
      if (!under.store.console) throw new Error("the store has no console");
      const limits = { parameters: [], maxRows: 1_000, maxBytes: 1_048_576, timeoutMs: 700 };
      return under.store.console.run({ statement: "select 1", ...limits, ...more });
    };

    describe("answers", () => {
      it("a question across tenants, with parameters", async () => {
        const statement = `select id, version from ai_assets where tenant_id = ${parameter} order by id`;
        for (const { tenantId } of [setting.a, setting.b]) {
          const { status, json } = await ask({ statement, parameters: [tenantId] });
          expect(status).toBe(200);
          expect(json.columns).toEqual(["id", "version"]);
          expect(json).toMatchObject({ truncated: false, rowCount: json.rows.length });
          expect(json.rows[0]).toEqual([expect.stringMatching(/^ast_/), expect.any(Number)]);
        }
      });

      it("a join that would read a table again for every row", async () => {
        const statement =
          "select count(*) from events e join event_streams s on s.tenant_id = e.tenant_id and s.seq = e.seq";
        const { json } = await ask({ statement });
        expect(json.rows[0][0]).toBeGreaterThan(50);
      });

      it("about every table, without a secret", async () => {
        expect(setting.secrets.length).toBeGreaterThan(15);
        const { json } = await ask({ statement: "select body from credentials" });
        expect(JSON.parse(json.rows[0][0])).toMatchObject({ securityVersion: 1 });
        expect(json.rows[0][0]).not.toContain("passwordHash");
        for (const name of ["users", "tenants", "signing_keys", "idempotency_keys", "events", "counters", "outbox"]) {
          expect((await ask({ statement: `select * from ${name}` })).status, name).toBe(200);
        }
      });

      it("without removed rows", async () => {
        const id = await setting.a.newAsset();
        const statement = `select count(*) from ai_assets where id = '${id}'`;
        expect((await ask({ statement })).json.rows).toEqual([[1]]);
        await setting.send("DELETE", `/api/v1/ai-assets/${id}`, { token: setting.a.owner.token });
        expect((await ask({ statement })).json.rows).toEqual([[0]]);
      });

      it("in JSON's own terms", async () => {
        const statement = `select 1, cast(1.5 as real), '' || 1, null, 9007199254740991 + 2, ${parameter}`;
        const { json } = await ask({ statement, parameters: ["a"] });
        expect(json.rows).toEqual([[1, 1.5, "1", null, "9007199254740993", "a"]]);
      });

      it("with at most as many rows and bytes as may be", async () => {
        const few = await ask({ statement: "select id from events", maxRows: 3 });
        expect(few.json).toMatchObject({ rowCount: 3, truncated: true });
        const many = "with recursive c(x) as (select 1 union all select x + 1 from c where x < 1001) select x from c";
        expect((await ask({ statement: many })).json).toMatchObject({ rowCount: 1_000, truncated: true });
        const wide = "select a.attributes from events a, events b, events c";
        const { json, text } = await ask({ statement: wide });
        expect(json.truncated).toBe(true);
        expect(text.length).toBeLessThan(1.2 * 1_048_576);
        const answer = await store({ statement: wide, maxBytes: 5_000 });
        expect(answer.truncated).toBe(true);
        expect(Buffer.byteLength(JSON.stringify(answer.rows))).toBeLessThan(5_001);
      });

      it("what a statement does wrong, by its own words", async () => {
        const { status, json } = await ask({ statement: "select nonsense from users" });
        expect([status, json.code, json.errors[0].pointer]).toEqual([
          400,
          "invalid_request",
          "/configuration/statement",
        ]);
        expect(json.errors[0].message).toContain("nonsense");
      });
    });

    describe("guards", () => {
      it("asks for a reason, a known body and the permission", async () => {
        const statement = "select 1";
        expect((await ask({ statement }, { reason: undefined })).json.code).toBe("missing_reason");
        expect((await ask({ statement }, { reason: "short" })).json.code).toBe("missing_reason");
        expect((await ask({ statement, maxRows: 1_001 })).status).toBe(400);
        expect((await ask({ statement, timeoutMs: 60_000 })).status).toBe(400);
        const body = { configuration: { statement }, reason: "looking into a report" };
        for (const { token } of Object.values(setting.a.actors)) {
          const refused = await setting.send("POST", "/api/v1/support/sql", { token, body });
          expect([refused.status, refused.json.code]).toEqual([403, "provider_policy"]);
        }
        const { token } = setting.provider.actors.provider_support;
        const refused = await setting.send("POST", "/api/v1/support/sql", { token, body });
        expect(refused.json).toMatchObject({ code: "permission_denied", permission: "support:sql" });
      });

      it("S27 writes down the question's hash with the provider alone, never its text, answered or not", async () => {
        const eventsOf = async ({ tenantId }: { readonly tenantId: string }) =>
          (await under.store.forTenant(tenantId).events({ size: 1 })).total.count;
        const ofTenants = await Promise.all([setting.a, setting.b].map(eventsOf));
        const asked = ["select 'zq-not-in-the-audit'", "select zq_not_in_the_audit", "drop table zq_not_in_the_audit"];
        for (const statement of asked) await ask({ statement });
        const reader = under.store.forTenant(setting.provider.tenantId);
        const { events } = await reader.events({ size: 3 });
        const reported = events.map(({ data }) => JSON.parse(data ?? "") as Record<string, unknown>).reverse();
        expect(reported.map(({ statementSha256 }) => statementSha256)).toEqual(asked.map(sha256));
        expect(reported.map(({ code, rowCount }) => [code, rowCount])).toEqual([
          [null, 1],
          ["invalid_request", 0],
          ["invalid_request", 0],
        ]);
        expect(reported[0]).toMatchObject({
          durationMs: expect.any(Number),
          reason: expect.stringContaining("report"),
        });
        expect(JSON.stringify(events)).not.toMatch(/zq.not.in.the.audit/);
        expect(await Promise.all([setting.a, setting.b].map(eventsOf))).toEqual(ofTenants);
      });

      it("answers a few at a time", async () => {
        const statement = (HOSTILE[options.dialect].find(({ endless }) => endless) as Hostile).statement;
        const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => store({ statement })));
        const codes = outcomes.map((one) => (one.status === "rejected" ? (one.reason as StoreError).code : "answered"));
        expect(codes.sort()).toEqual(["busy", "busy", "busy", "busy", "timeout", "timeout"]);
        expect((await store({})).rows).toEqual([[1]]);
      });
    });

    describe("holds against what is hostile", () => {
      const all = HOSTILE[options.dialect];
      const endless = all.filter((one) => one.endless);

      it("sixty statements and more change nothing and give nothing away", { timeout: 300_000 }, async () => {
        expect(all.length).toBeGreaterThanOrEqual(60);
        const before = await under.digest(setting.provider.tenantId);
        const tried = all.filter((one) => !one.endless);
        const next = tried.values();
        const tryAll = async () => {
          for (const { statement, parameters = [], answered } of next) {
            const { status, json } = await ask({ statement, parameters });
            // What works hard before it is refused may run out of time first, on a machine that is busy.
            const isLate = !answered && json.code === "query_timeout";
            expect(status, `${statement}: ${JSON.stringify(json)}`).toBe(answered ? 200 : isLate ? 504 : 400);
          }
        };
        await Promise.all([tryAll(), tryAll()]);
        expect(await under.digest(setting.provider.tenantId)).toBe(before);
        expect((await ask({ statement: "select 1" })).json.rows).toEqual([[1]]);
      });

      it("statements that never end are ended, and the event loop goes on meanwhile", async () => {
        const before = await under.digest(setting.provider.tenantId);
        for (const { statement } of endless) {
          let turns = 0;
          const counting = setInterval(() => turns++, 5);
          const outcome = await store({ statement }).catch((error: unknown) => error);
          clearInterval(counting);
          expect(outcome, statement).toBeInstanceOf(StoreError);
          expect((outcome as StoreError).code, statement).toBe("timeout");
          expect(turns, statement).toBeGreaterThan(10);
        }
        expect(await under.digest(setting.provider.tenantId)).toBe(before);
      });

      it.each(endless.slice(0, WAITED_FOR))("$statement: 504 query_timeout", async ({ statement }) => {
        const { status, json } = await ask({ statement });
        expect([status, json.code]).toEqual([504, "query_timeout"]);
      });
    });
  });
}
