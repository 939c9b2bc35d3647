import { describe, expect, it } from "vitest";
import { projectOf } from "./campaign/mutant.js";
import { mutants } from "./campaign/mutants/index.js";
import { marksIn, unaskedOfPostgres, witnessOf } from "./lib/store-witness.js";
import { isAlwaysOnPostgres, readWitness, runsInNpmTest, STORE_FILES } from "./lib/test-plan.js";

describe("the store witness", () => {
  const { files, chosen } = readWitness();
  const known = Object.keys(files);

  it("chose files that ask PostgreSQL all that any file asks of a store", () => {
    const asking = known.filter((file) => isAlwaysOnPostgres(file) || chosen.includes(file));
    const asked = new Set(asking.flatMap((file) => marksIn(files[file] as (typeof files)[string])));
    const missing = Object.entries(files).filter(([, each]) => marksIn(each).some((mark) => !asked.has(mark)));
    expect(missing.map(([file]) => file)).toEqual([]);
  });
});

describe("the choice of files", () => {
  const asks = (ms: number, ...marks: string[]) => ({ ms, asks: marks.join("") });

  it("has what all ask, by the quickest, and none that is needless", () => {
    const { chosen } = witnessOf({
      slow: asks(9_000, "aaaa", "bbbb"),
      quick: asks(100, "aaaa"),
      other: asks(200, "bbbb"),
      rare: asks(5_000, "cccc"),
    });
    expect(chosen).toEqual(["other", "quick", "rare"]);
  });

  it("leaves out what is asked anyway", () => {
    const always = STORE_FILES.find(isAlwaysOnPostgres) as string;
    expect(witnessOf({ [always]: asks(1, "aaaa"), same: asks(1, "aaaa") }).chosen).toEqual([]);
  });

  it("is found wanting by a run that asks another store more", () => {
    const missing = unaskedOfPostgres([
      { file: "a", store: "sqlite", asked: ["get users", "scan users"] },
      { file: "b", store: "postgres", asked: ["get users"] },
    ]);
    expect([...missing]).toEqual([["scan users", "a"]]);
  });
});

it.each(mutants.map((mutant) => [mutant.breaks, mutant] as const))(
  "`npm test` sees the mistake: %s",
  (_breaks, { witnesses }) => {
    expect(witnesses.some((witness) => runsInNpmTest(witness.file, projectOf(witness)))).toBe(true);
  },
);
