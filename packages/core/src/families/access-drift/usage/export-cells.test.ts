import { describe, expect, it } from "vitest";
import { cellOf, rowOf } from "./export-cells.js";

describe("a cell", () => {
  it.each(["=1+1", "+1", "-1", "@x", "\tx", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠x"])(
    "never begins as a formula does: %j",
    (text) => {
      expect(cellOf(text).replace(/^"/, "")).toMatch(/^'/);
    },
  );

  it("is quoted where a table would break", () => {
    expect(cellOf('a"b')).toBe('"a""b"');
    expect(cellOf("a,b")).toBe('"a,b"');
    expect(cellOf("a\r\nb")).toBe('"a\r\nb"');
    expect(cellOf('=a","b')).toBe(`"'=a"",""b"`);
  });

  it("is empty for nothing, and a number stays one", () => {
    expect(rowOf([null, undefined, 5, true, [{ type: "user", id: "u" }]])).toBe(
      ',,5,true,"[{""type"":""user"",""id"":""u""}]"\r\n',
    );
  });
});
