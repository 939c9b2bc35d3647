import { describe, expect, it } from "vitest";
import { canonical, sha256 } from "../src/canonical.js";
import { recompute } from "../src/chain.js";
import type { ChainedEvent } from "../src/wire.js";

describe("canonical JSON", () => {
  it("writes the example of RFC 8785, section 3.2.3", () => {
    const members = { "€": 1, "\r": 2, "\ufb33": 3, "1": 4, "😀": 5, "\u0080": 6, ö: 7 };
    expect([...canonical(members).matchAll(/:(\d)/g)].map(([, value]) => Number(value))).toEqual([2, 4, 6, 7, 1, 5, 3]);
    const literals = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"literals":[null,true,false]}',
    );
    expect(canonical(literals)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}',
    );
  });
});

/** A chain of two events, made by the published rules. */
function chain(): ChainedEvent[] {
  const events: ChainedEvent[] = [];
  let prevhash = "0".repeat(64);
  for (const [index, data] of [{ reason: "first" }, { reason: "second" }].entries()) {
    const attributes = { id: `evt_${index}`, type: "t", subject: "s", authid: "a", datahash: sha256(canonical(data)) };
    const sequence = String(index + 1).padStart(12, "0");
    const eventhash = sha256(`${prevhash}\n${sequence}\n${sha256(canonical(attributes))}`);
    events.push({ ...attributes, data, sequence, prevhash, eventhash });
    prevhash = eventhash;
  }
  return events;
}

describe("recomputing a chain", () => {
  it("comes to the hash of the last event", () => {
    const events = chain();
    expect(recompute(events)).toEqual({ head: events[1]?.eventhash });
    expect(recompute([])).toEqual({ head: "0".repeat(64) });
  });

  it("goes on past data that has been erased", () => {
    const [first, second] = chain() as [ChainedEvent, ChainedEvent];
    expect(recompute([{ ...first, data: null }, second])).toEqual({ head: second.eventhash });
  });

  it.each([
    ["its data", ([first, second]: ChainedEvent[]) => [{ ...first, data: { reason: "other" } }, second]],
    ["an attribute", ([first, second]: ChainedEvent[]) => [{ ...first, authid: "b" }, second]],
    ["an added attribute", ([first, second]: ChainedEvent[]) => [{ ...first, note: "x" }, second]],
    ["its number", ([first, second]: ChainedEvent[]) => [first, { ...second, sequence: "000000000003" }]],
    ["the order", ([first, second]: ChainedEvent[]) => [second, first]],
    ["the link", ([first, second]: ChainedEvent[]) => [first, { ...second, prevhash: "1".repeat(64) }]],
  ])("finds a change of %s", (_what, change) => {
    expect(recompute(change(chain()) as ChainedEvent[])).toHaveProperty("fault");
  });
});
