import { describe, expect, it } from "vitest";
import type { Ask } from "../ask/request.js";
import { hiddenPaths, LONGEST, listedInput } from "./masks.js";

const askWith = (properties: Record<string, unknown>) =>
  ({
    subject: { type: "user", id: "u" },
    action: { name: "pay", properties },
    resource: { type: "t", id: "r" },
  }) as Ask;
const half = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/;

describe("values of a request that are shown", () => {
  it("are cut between characters, in values and in the paths of what is hidden", () => {
    const long = `${"a".repeat(LONGEST - 1)}😀`;
    const ask = askWith({ note: long, [long]: 1 });
    const shown = listedInput(ask, ["action.properties.note"]);
    expect(shown).toEqual({ "action.properties.note": "a".repeat(LONGEST - 1) });
    const hidden = hiddenPaths(ask, {}, shown);
    expect(hidden).toHaveLength(2);
    expect(hidden[0]).toBe("action.properties.note");
    expect(hidden[1]).not.toMatch(half);
  });

  it("are hidden whole where their name suggests a secret, by their paths alone", () => {
    const ask = askWith({ amount: 5, card: { password: "hunter2" } });
    expect(listedInput(ask, ["action.properties.card.password"])).toEqual({});
    expect(hiddenPaths(ask, {}, { "action.properties.amount": 5 })).toEqual(["action.properties.card.password"]);
  });
});
