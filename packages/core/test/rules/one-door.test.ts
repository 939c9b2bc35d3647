import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, expectTypeOf, it } from "vitest";
import { PLATFORM_TENANT } from "#families/platform/tenants/fields.js";
import type { Context } from "#kernel/operation/context.js";
import { defineOperation, effectOf } from "#kernel/operation/operation.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { environmentOf } from "../helpers/environment.js";
import { createWorld } from "../helpers/world.js";

const sources = fileURLToPath(new URL("../../src/families/", import.meta.url));
const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
);

/** What only the kernel may do, each with an example that the pattern must match. */
const KERNEL_ONLY = {
  "reach a transaction": {
    pattern: /\btx\b|\bstore\s*\.transaction\b|\bTransaction\b.*store\/store\.js/,
    example: "ctx.tx.get(users, id)",
  },
  "reach a writer of a store": { pattern: /\bWriter\b/, example: "postpone(store: Writer)" },
  "see into a context": {
    pattern: /kernel\/(?:\w+\/)*(?:unit-access|store-access|unit-of-work|transact)\.js/,
    example: 'from "../kernel/unit-access.js"',
  },
  "make a context": {
    pattern: /\bnew (?:Read|Outside)?Context\(|\bnew UnitOfWork\(/,
    example: "new Context(env, facts, principal, unit)",
  },
  "serve a list as it is stored": {
    pattern: /\bseen-page\.js|\bdb\s*\.list\(/,
    example: "ctx.db.list(findings, query)",
  },
  "read counters as they are stored": { pattern: /\.countBy\(/, example: 'ctx.db.countBy(assets, "status")' },
  "note what was written": { pattern: /\.written\b/, example: "ctx.written.add(users.name)" },
  "raise a version": { pattern: /\bversion(?: \?\? 0\))? \+ 1\b/, example: "version: previous.version + 1" },
} as const;

const WRITES = [
  "insert",
  "insertMany",
  "update",
  "remove",
  "transition",
  "emit",
  "eraseEvents",
  "pruneEvents",
] as const;
type Writes = (typeof WRITES)[number];

const shared = {
  path: "/test",
  tag: "System",
  summary: "Test",
  access: "signed-in",
  success: { status: 204 },
} as const;

describe("areas write through their context only", () => {
  it("looks at every area", () => {
    expect(files.length).toBeGreaterThan(300);
  });

  it.each(Object.entries(KERNEL_ONLY))("and leave it to the kernel to %s", (_what, { pattern, example }) => {
    expect(example).toMatch(pattern);
    expect(files.filter((file) => pattern.test(readFileSync(sources + file, "utf8")))).toEqual([]);
  });

  it("gives a handler what its declaration says, and nothing to write with where it only reads", () => {
    const handler = async () => undefined;
    const reading = defineOperation({ ...shared, id: "test.read", method: "GET", handler });
    const writing = defineOperation({ ...shared, id: "test.write", method: "POST", handler });
    const asking = defineOperation({ ...shared, id: "test.ask", method: "POST", effect: "read", handler });
    const reaching = defineOperation({ ...shared, id: "test.own", method: "POST", effect: "own", handler });
    expectTypeOf<Parameters<typeof reading.handler>[0]>().toEqualTypeOf<ReadContext>();
    expectTypeOf<Parameters<typeof writing.handler>[0]>().toEqualTypeOf<Context>();
    expectTypeOf<Parameters<typeof asking.handler>[0]>().toEqualTypeOf<ReadContext>();
    expectTypeOf<Parameters<typeof reaching.handler>[0]>().toEqualTypeOf<OutsideContext>();
    expectTypeOf<Extract<keyof ReadContext, Writes | "write">>().toBeNever();
    expectTypeOf<Extract<keyof OutsideContext, Writes>>().toBeNever();
    expect([reading, writing, asking, reaching].map(effectOf)).toEqual(["read", "write", "read", "own"]);
  });

  it("shows no transaction to whoever looks behind the types", async () => {
    const world = await createWorld();
    const env = environmentOf(world);
    expect(Object.keys(env.store)).not.toContain("transaction");
    const system = systemContext(env, PLATFORM_TENANT, "test");
    for (const name of WRITES) expect(name in system).toBe(false);
    await system.write(async (ctx) => {
      expect("tx" in ctx).toBe(false);
      for (const name of ["insert", "insertMany", "replace", "remove", "append", "as"])
        expect(name in ctx.db).toBe(false);
      for (const name of WRITES) expect(name in ctx).toBe(true);
    });
  });
});
