import { describe, expect, it } from "vitest";
import { mixesScripts, skeletonOf } from "./confusables.js";

describe("skeletonOf", () => {
  it.each([
    ["Cyrillic", "авсԁеһіјӏкмнорԛѕтуѵԝхгп", "abcdehijlkmhopqstyvwxrn"],
    ["Greek", "αβεηικμνορτυχγ", "abeniku".concat("voptuxy")],
    ["Armenian", "օոսհցզ", "onuhgq"],
    ["Latin", "ıȷɑɡɩʋʏᴏ", "ijagiuyo"],
    ["capitals of other scripts", "АВСЕНІЈКМОРЅТХ", "abceh".concat("ljkmopstx")],
    ["digits and signs", "01|", "oll"],
    ["full-width letters", "ｒｅａｄ", "read"],
    ["Cherokee", "ᎪᏴᏟ", "abc"],
  ])("reads %s as the Latin letters they look like", (_, name, skeleton) => {
    expect(skeletonOf(name)).toBe(skeleton);
  });

  it("ignores case, marks and invisible characters, and keeps other names apart", () => {
    expect(skeletonOf("Réad\u200b_File")).toBe(skeletonOf("read_file"));
    expect(skeletonOf("read_file")).toBe("read_file");
    expect(skeletonOf("read_file")).not.toBe(skeletonOf("read_fine"));
  });
});

describe("mixesScripts", () => {
  it("is about one word", () => {
    expect(mixesScripts("reаd")).toBe(true);
    expect(mixesScripts("read файл")).toBe(false);
  });
});
