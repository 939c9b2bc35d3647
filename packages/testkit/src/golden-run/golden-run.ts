import { type ControlPlaneConfig, createMemoryStore } from "@reeve/core";
import type { Store } from "@reeve/core/store";
import { describe, expect, it } from "vitest";
import { masked } from "../world/masked.js";
import { sampleOf, sendSample, table } from "../world/request.js";
import { createWorld } from "../world/world.js";
import { repeatable } from "./repeatable.js";

/** One answer of a golden run, without random values. */
interface Entry {
  readonly request: string;
  readonly status: number;
  readonly body: unknown;
}

/**
 * Sends every operation's sample for each of two tenants, and once more for the first, with a clock that stands still and
 * ids that count up. Two stores with the same behaviour give the same entries.
 */
export async function goldenRun(store: Store, config: Partial<ControlPlaneConfig> = {}): Promise<Entry[]> {
  const world = await createWorld({ ...config, connectorConcurrency: 1, tickConcurrency: 1, ...repeatable(store) });
  const entries: Entry[] = [];
  for (const [name, scene] of [
    ["a", world.a],
    ["b", world.b],
    ["a again", world.a],
  ] as const) {
    for (const operation of table.filter((one) => !sampleOf(one).elsewhere)) {
      const caller =
        operation.id === "auth.resetPassword" ? await scene.newUser(["member"]) : scene.callerOf(operation);
      const answer = await sendSample(scene, operation, caller);
      entries.push({
        request: `${name} ${operation.id}`,
        status: answer.status,
        body: masked(answer.json ?? answer.text),
      });
      world.clock.advance(1_000);
    }
    await world.controlPlane.tick();
  }
  for (const scene of [world.a, world.b]) {
    for (const path of LISTS) {
      const answer = await scene.send("GET", path, { token: scene.owner.token });
      entries.push({ request: path, status: answer.status, body: masked(answer.json) });
    }
  }
  return entries;
}

const LISTS = [
  "/api/v1/ai-assets?size=3&page=1",
  "/api/v1/ai-assets?assetType=model",
  "/api/v1/ai-assets?assetType=agent&environment=test&size=2",
  "/api/v1/ai-assets?search=ZQALPHA&size=2",
  "/api/v1/ai-assets?search=zqbravo-1",
  "/api/v1/ai-assets?search=%25",
  "/api/v1/ai/identities?size=3",
  "/api/v1/users?status=invited",
  "/api/v1/ai/activity?size=100",
  "/api/v1/ai/activity?size=100&page=1",
  "/api/v1/ai-governance/audit/verification",
];

/** The answers of the memory store. One run serves all the stores that a process compares with it. */
let expected: Promise<Entry[]> | undefined;

/**
 * Declares the golden run as vitest cases. Every operation that can succeed for a tenant succeeds, and every answer
 * equals the memory store's.
 */
export function describeGoldenRun(options: {
  readonly name: string;
  /** How long it may take, in ms. */
  readonly timeout?: number;
  create(): Promise<{ readonly store: Store; dispose(): Promise<void> }>;
}): void {
  const { timeout = 300_000 } = options;
  describe(`golden run: ${options.name}`, () => {
    it("gives the same answers as the memory store", { timeout }, async () => {
      const { store, dispose } = await options.create();
      try {
        expected ??= goldenRun(createMemoryStore());
        const wanted = await expected;
        const found = await goldenRun(store);
        expect(found.filter(({ status }) => status >= 300)).toEqual([]);
        for (const [index, entry] of wanted.entries()) expect(found[index]).toEqual(entry);
        expect(found).toHaveLength(wanted.length);
      } finally {
        await dispose();
      }
    });
  });
}
