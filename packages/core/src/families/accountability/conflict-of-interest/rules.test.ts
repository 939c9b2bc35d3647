import { describe, expect, it } from "vitest";
import type { Facts } from "../origins/rules.js";
import { judgeDecider } from "./rules.js";

const NOTHING = { madeBy: null, heldBy: [], rolesBy: [], ownedBy: [] };
const account = (facts: Partial<Facts> = {}): Facts => ({ kind: "account", ...NOTHING, ...facts });
const machine = (facts: Partial<Facts> = {}): Facts => ({ kind: "machine", ...NOTHING, ...facts });

function judge(decider: string, ids: readonly string[], known: Record<string, Facts> = {}, more = {}) {
  const involved = { ids: [...ids], beyond: 0 };
  return judgeDecider({
    decider: { id: decider, username: `${decider}@acme.example` },
    involved,
    known: new Map(Object.entries(known)),
    ...more,
  });
}

describe("judgeDecider", () => {
  it.each<[string, readonly string[], Record<string, Facts>, string | null]>([
    ["who asked", ["ada"], {}, "ada is involved in it"],
    ["an owner named by address", ["ADA@acme.example"], {}, "ADA@acme.example is involved in it"],
    ["who made the machine that asked", ["bot"], { bot: machine({ madeBy: "ada" }) }, "bot was made by ada"],
    ["who gave it credentials", ["bot"], { bot: machine({ heldBy: ["ada"] }) }, "bot got its credentials from ada"],
    ["who owns it", ["bot"], { bot: machine({ ownedBy: ["ada"] }) }, "bot is owned by ada"],
    [
      "who made the machine that made it",
      ["bot"],
      { bot: machine({ madeBy: "bot2" }), bot2: machine({ madeBy: "ada" }) },
      "bot was made by bot2, which was made by ada",
    ],
  ])("finds a conflict of interest with %s", (_who, involved, known, path) => {
    expect(judge("ada", involved, known)).toEqual({ verdict: "conflict_of_interest", path });
  });

  it.each<[string, Record<string, Facts>, string]>([
    ["whose account somebody involved made", { ada: account({ madeBy: "bob" }) }, "ada was created by bob"],
    ["whose password somebody involved set", { ada: account({ heldBy: ["bob"] }) }, "ada got its password from bob"],
    ["whose roles somebody involved gave", { ada: account({ rolesBy: ["bob"] }) }, "ada got its roles from bob"],
    ["who made the account of somebody involved", { bob: account({ madeBy: "ada" }) }, "bob was created by ada"],
    [
      "who stands behind somebody involved at some distance",
      { bob: account({ madeBy: "eve" }), eve: account({ rolesBy: ["ada"] }) },
      "bob was created by eve, which got its roles from ada",
    ],
    [
      "whose maker knows the password of somebody involved",
      { ada: account({ madeBy: "eve" }), bob: account({ madeBy: "eve", heldBy: ["eve"] }) },
      "ada was created by eve; bob got its password from eve",
    ],
    [
      "whose password is known to the maker of somebody involved",
      { ada: account({ heldBy: ["eve"] }), bob: account({ madeBy: "eve" }) },
      "bob was created by eve; ada got its password from eve",
    ],
    [
      "who was made by the owner of a machine that asked",
      { ada: account({ madeBy: "eve" }), bob: machine({ ownedBy: ["eve"] }) },
      "ada was created by eve; bob is owned by eve",
    ],
  ])("finds a related party %s", (_who, known, path) => {
    expect(judge("ada", ["bob"], known)).toEqual({ verdict: "related_party", path });
  });

  it.each<[string, Record<string, Facts>]>([
    ["without facts", {}],
    ["who were invited by one administrator", { ada: account({ madeBy: "eve" }), bob: account({ madeBy: "eve" }) }],
    ["in a cycle of their own", { ada: account({ rolesBy: ["eve"] }), eve: account({ rolesBy: ["ada"] }) }],
  ])("takes people %s as independent", (_who, known) => {
    expect(judge("ada", ["bob"], known)).toEqual({ verdict: "independent", path: null });
  });

  it("flags involved people who are not kept, and accounts that were not followed", () => {
    expect(judge("ada", [], {}, { involved: { ids: ["bob"], beyond: 1 } }).verdict).toBe("related_party");
    expect(judge("ada", ["bob"], {}, { cut: true }).verdict).toBe("related_party");
  });
});
