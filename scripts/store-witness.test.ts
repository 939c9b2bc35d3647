import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectOf } from "./campaign/mutant.js";
import { mutants } from "./campaign/mutants/index.js";
import { LEFT_TO_ALL } from "./lib/left-to-all.js";
import { markOf, marksIn, statementsIn, unaskedOfPostgres, witnessOf } from "./lib/store-witness.js";
import { isAlwaysOnPostgres, REPLAY_FILE, readWitness, runsInNpmTest, STORE_FILES } from "./lib/test-plan.js";
import { root } from "./lib/workspace.mjs";

describe("the store witness", () => {
  const { files, chosen } = readWitness();
  const known = Object.keys(files);

  /** Files without a note run on PostgreSQL, which costs time and loses nothing. `npm run tests:witness` notes them. */
  const MOST_WITHOUT_NOTE = 20;
  it("knows all files but a few", () => {
    expect(STORE_FILES.filter((file) => !known.includes(file)).length).toBeLessThanOrEqual(MOST_WITHOUT_NOTE);
  });

  it("leads to PostgreSQL whatever any file asks of a store", () => {
    const asking = known.filter((file) => isAlwaysOnPostgres(file) || chosen.includes(file));
    const asked = new Set(asking.flatMap((file) => marksIn(files[file] as (typeof files)[string])));
    const missing = Object.entries(files).filter(([, each]) => marksIn(each).some((mark) => !asked.has(mark)));
    expect(missing.map(([file]) => file)).toEqual([]);
  });
});

describe("the choice of files", () => {
  const asks = (ms: number, ...texts: string[]) => ({ ms, asks: texts.map(markOf).join("") });

  it("has what all ask, and the quickest of those that ask the same", () => {
    const { chosen } = witnessOf(
      { slow: asks(9_000, "tx: get", "tx: find"), quick: asks(100, "tx: get"), other: asks(200, "tx: find") },
      {},
    );
    expect(chosen).toEqual(["other", "quick"]);
  });

  it("takes a dear file for how it asks, and not for a statement, which a rule asks", () => {
    const statements = statementsIn(["get users", "find users where status= by createdAt desc"]);
    expect(statements).toEqual({ users: ["find where status= by createdAt desc", "get"] });
    const replayed = { [REPLAY_FILE]: asks(1, "get users", "tx: get") };
    const chosen = (...texts: string[]) => witnessOf({ ...replayed, dear: asks(9_000, ...texts) }, statements).chosen;
    expect(chosen("get users")).toEqual([]);
    expect(chosen("get users", "tx: get")).toEqual(["dear"]);
    expect(chosen("find users where status= by createdAt desc")).toEqual(["dear"]);
  });

  it("leaves out what is asked anyway", () => {
    const always = STORE_FILES.find(isAlwaysOnPostgres) as string;
    expect(witnessOf({ [always]: asks(1, "tx: get"), same: asks(1, "tx: get") }, {}).chosen).toEqual([]);
  });

  it("is found wanting by a run that asks another store more", () => {
    const missing = unaskedOfPostgres([
      { file: "a", store: "sqlite", asked: ["get users", "scan users"] },
      { file: "b", store: "postgres", asked: ["get users"] },
    ]);
    expect([...missing]).toEqual([["scan users", "a"]]);
  });
});

it.each(LEFT_TO_ALL)("`npm test` leaves $kind to --all, and runs one of its kind", ({ left, stays }) => {
  for (const file of [...left, stays]) expect(existsSync(join(root, file)), file).toBe(true);
  expect(left.filter((file) => runsInNpmTest(file, "main"))).toEqual([]);
  expect(runsInNpmTest(stays, "sqlite")).toBe(true);
  expect(left).not.toContain(stays);
});

it.each(mutants.map((mutant) => [mutant.breaks, mutant] as const))(
  "`npm test` sees the mistake: %s",
  (_breaks, { witnesses }) => {
    expect(witnesses.some((witness) => runsInNpmTest(witness.file, projectOf(witness)))).toBe(true);
  },
);
