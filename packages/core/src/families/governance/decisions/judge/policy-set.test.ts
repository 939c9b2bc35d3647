import { describe, expect, it } from "vitest";
import { celEngine } from "#cel/engine.js";
import type { Rule } from "../../policies/fields.js";
import { PolicySet, type RuntimePolicy } from "./policy-set.js";

const properties = { type: "map", description: "." } as const;
const party = { name: "Party", fields: { type: { type: "string", description: "." }, properties } } as const;
const action = { name: "Action", fields: { name: { type: "string", description: "." }, properties } } as const;
const asset = { name: "AnyAsset", fields: { name: { type: "string", optional: true, description: "." } } } as const;
const environment = celEngine({ clock: { now: () => 0 } }).environment({
  action: { type: { object: action }, description: "." },
  resource: { type: { object: party }, description: "." },
  asset: { type: { object: asset }, description: "." },
});

function compiled(source: string) {
  const result = environment.compile(source);
  if (!result.ok) throw new Error(result.fault.message);
  return result.program;
}

/** A policy with one rule for each of these conditions. */
function policy(conditions: readonly string[], selector?: string): RuntimePolicy {
  const rules = conditions.map((source) => {
    const rule = { key: source, effect: "deny", if: source, message: "No." } as unknown as Rule;
    return { rule, environment, when: undefined, condition: compiled(source), reads: [] };
  });
  return {
    ...{ id: "pol_1", version: 1, key: [...conditions, selector ?? ""].join(), revision: 1, inForce: true },
    ...{ params: {}, narrow: false, broken: false },
    compiled: {
      ...{ environment, about: { assetTypes: [], environments: [] }, rules, reads: [], readsTime: false },
      selector: selector === undefined ? undefined : compiled(selector),
    },
  };
}

const READ = 'action.name == "read" && action.properties.n < 3';
const WRITE = 'action.name == "write"';
const request = (name: unknown, type = "table") => ({ action: { name, properties: {} }, resource: { type } });

describe("the policies that may speak of a request", () => {
  const either = policy([READ, WRITE]);
  const onTables = policy(['resource.type == "table"']);
  const always = policy(["action.properties.n < 3"]);
  const [reading, writing] = [policy([READ]), policy([WRITE])];
  const set = new PolicySet([writing, onTables, reading, always, either]);

  it("are those that ask for its texts first, and those that ask for none, in the order of all", () => {
    expect(set.about(request("read"))).toEqual([onTables, reading, always, either]);
    expect(set.about(request("write", "view"))).toEqual([writing, always, either]);
    expect(set.about(request("delete", "view"))).toEqual([always]);
  });

  it("are all that ask for a text where the request has none, because they have no result then", () => {
    expect(set.about(request(7))).toEqual(set.all);
    expect(set.about({})).toEqual(set.all);
  });

  it("are those whose selector asks for its text, whatever their rules ask for", () => {
    const selected = policy([WRITE], 'action.name == "read"');
    expect(new PolicySet([selected]).about(request("read"))).toEqual([selected]);
    expect(new PolicySet([selected]).about(request("write"))).toEqual([]);
  });

  it("are found among more than a call takes as arguments", () => {
    const many = new PolicySet(Array(150_000).fill(reading));
    expect(many.about(request("read"))).toHaveLength(150_000);
    expect(many.about({})).toHaveLength(150_000);
  });

  it.each([
    ["that does not compile", { ...reading, broken: true }],
    ["without rules", policy([])],
    ["whose rules ask for different things", policy([READ, 'resource.type == "view"'])],
    ["that asks for what differs by asset", policy(['asset.name == "a"'])],
  ])("hold a policy %s", (_which, one) => {
    expect(new PolicySet([one]).about(request("write"))).toEqual([one]);
  });
});
