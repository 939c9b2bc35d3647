import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../lib/workspace.mjs";
import { type FaultPlan, planOf } from "./plan.js";

const faults = (...args: string[]) => planOf(args, () => 7) as FaultPlan;

describe("a campaign", () => {
  it("makes faults and races by default, as many as fit into CI, with a new seed", () => {
    expect(faults()).toMatchObject({
      kind: "faults",
      seed: 7,
      sizes: { kills: 60, bursts: 40, restarts: 3, crashes: 20, races: 8 },
      env: { REEVE_FAULTS_SEED: "7", REEVE_FAULTS_CRASHES: "20", REEVE_RACE_ROUNDS: "8" },
    });
  });

  it("is larger by night, and takes a seed and each size", () => {
    expect(faults("--night", "--seed", "11", "--crashes", "5")).toMatchObject({
      seed: 11,
      sizes: { kills: 2_000, bursts: 1_000, restarts: 40, crashes: 5, races: 50 },
      env: { REEVE_FAULTS_SEED: "11", REEVE_FAULTS_CRASHES: "5", REEVE_FAULTS_KILLS: "2000" },
    });
    expect(() => faults("--kills", "many")).toThrow(/--kills takes a number/);
    expect(() => faults("--days")).toThrow();
  });

  it("makes mutants by their word, with the parts of their names", () => {
    expect(planOf(["mutants"], () => 7)).toEqual({ kind: "mutants", parts: [] });
    expect(planOf(["mutants", "idempotency", "twice"], () => 7)).toMatchObject({ parts: ["idempotency", "twice"] });
    expect(() => planOf(["idempotency"], () => 7)).toThrow();
  });

  it("has faults of both databases, and the races of estate, certifications and requests", () => {
    const { files } = faults();
    expect(files).toEqual(
      expect.arrayContaining([
        ...["kills", "bursts", "servers", "estate-races"].map((name) => `packages/store-postgres/test/${name}.test.ts`),
        ...["crash", "estate-races"].map((name) => `packages/store-sqlite/test/${name}.test.ts`),
        ...["certification", "request"].map((name) => `packages/core/test/access/each-store/${name}-races.test.ts`),
        ...["certification", "request"].map((name) => `packages/core/test/access/${name}-processes.test.ts`),
      ]),
    );
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it("sets variables that tests read", () => {
    const { env, files } = faults();
    const helpers = ["packages/core/test/helpers/race-rounds.ts"];
    const sources = [...files, ...helpers].map((file) => readFileSync(join(root, file), "utf8")).join("\n");
    expect(Object.keys(env).filter((name) => !sources.includes(`process.env.${name}`))).toEqual([]);
  });
});
