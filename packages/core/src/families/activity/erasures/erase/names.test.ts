import { describe, expect, it } from "vitest";
import { formsOf, withoutNames } from "./names.js";

const people = [
  ["Ada", "usr_1"],
  ["Ada Lovelace", "usr_2"],
  ["C++ (team)", "usr_3"],
  ["Zoë", "usr_4"],
  ["İrem Yılmaz", "usr_5"],
  ["ΝΙΚΟΣ", "usr_6"],
  ["Jörg Groß", "usr_7"],
] as const;
const names = new Map(people.flatMap(([name, id]) => formsOf(name).map((form) => [form, id] as const)));

describe("S16 a text without names", () => {
  it.each([
    ["Ada has seen it, and ADA LOVELACE too.", "usr_1 has seen it, and usr_2 too."],
    ["Adamant people agree.", "Adamant people agree."],
    ["Asked by c++ (team).", "Asked by usr_3."],
    ["Zoe\u0308: fine", "usr_4: fine"],
    ["Approved by İrem Yılmaz and jörg groß.", "Approved by usr_5 and usr_7."],
    ["Νίκος is another than Νικος, νικοσ or ΝΙΚΟΣ.", "Νίκος is another than usr_6, usr_6 or usr_6."],
    ["Nobody is named.", "Nobody is named."],
  ])("%s", (text, without) => {
    expect(withoutNames(text, names)).toBe(without);
  });

  it("stays as it is without names", () => {
    expect(withoutNames("Ada", new Map())).toBe("Ada");
  });
});
