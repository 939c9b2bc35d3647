import type { ApplyResult, GrantSpec } from "@reeve/core/connectors";
import { conformanceCases, conformanceFaults } from "@reeve/testkit/connectors";
import { describe, expect, inject, it } from "vitest";
import { type Ctx, methods, teamsConnector } from "./teams/connector.js";
import { MISTAKES } from "./teams/mistakes/index.js";
import { openTeams } from "./teams/target.js";

/** One of so many other cases is run beside the one that finds a mistake. */
const ONE_OF = inject("isQuick") ? 24 : 6;

const faultsOf = async (wrong: () => Parameters<typeof teamsConnector>[0], left: readonly string[] = []) => {
  const open = async () => ({ ...(await openTeams()), reload: async () => teamsConnector(wrong()) });
  const skips = left.map((name) => ({ case: name, reason: "is run with other mistakes" }));
  return [...(await conformanceFaults(teamsConnector(wrong()), open, { skips })).keys()];
};

describe("the conformance suite finds a connector that", () => {
  it.each(MISTAKES.map((mistake, at) => [...mistake, at] as const))("%s, by: %s", async (_what, finds, wrong, at) => {
    const others = conformanceCases(teamsConnector()).filter((name) => name !== finds);
    const left = others.filter((_name, place) => place % ONE_OF !== at % ONE_OF);
    expect(await faultsOf(wrong, left)).toEqual([finds]);
  });

  it("each by a case, and none is without its mistake", () => {
    const proven = new Set(MISTAKES.map(([_what, finds]) => finds));
    expect(conformanceCases(teamsConnector()).filter((name) => !proven.has(name))).toEqual([]);
  });

  it("answers later to have no faults", async () => {
    const later = () => ({
      grant: async (_ctx: Ctx, spec: GrantSpec): Promise<ApplyResult> => ({
        outcome: "accepted",
        externalOpRef: JSON.stringify(spec),
        pollAfterSeconds: 1,
      }),
      pollOperation: (ctx: Ctx, ref: string) => methods.grant(ctx, JSON.parse(ref)),
    });
    expect(await faultsOf(later)).toEqual([]);
  });

  it("does nothing wrong to have no faults", async () => {
    expect(await faultsOf(() => ({}))).toEqual([]);
  });
});
