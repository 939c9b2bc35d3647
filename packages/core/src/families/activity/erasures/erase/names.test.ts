import { describe, expect, it } from "vitest";
import { withoutNames } from "./names.js";

const names = new Map([
  ["ada", "usr_1"],
  ["ada lovelace", "usr_2"],
  ["c++ (team)", "usr_3"],
  ["zoë", "usr_4"],
]);

describe("S16 a text without names", () => {
  it.each([
    ["Ada has seen it, and ADA LOVELACE too.", "usr_1 has seen it, and usr_2 too."],
    ["Adamant people agree.", "Adamant people agree."],
    ["Asked by c++ (team).", "Asked by usr_3."],
    ["Zoe\u0308: fine", "usr_4: fine"],
    ["Nobody is named.", "Nobody is named."],
  ])("%s", (text, without) => {
    expect(withoutNames(text, names)).toBe(without);
  });

  it("stays as it is without names", () => {
    expect(withoutNames("Ada", new Map())).toBe("Ada");
  });
});
