import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guardJson, JSON_LIMITS } from "./json-guard.js";

const refusal = (text: string): string => {
  try {
    guardJson(text);
    return "taken";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("guardJson", () => {
  it("takes all JSON within the limits", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/__proto__|\\u0000|e\+(?:1[6-9]|[2-9]\d|\d{3})|\d{16}/.test(text) && text.isWellFormed());
        expect(refusal(text)).toBe("taken");
        expect(refusal(JSON.stringify(value, null, 2))).toBe("taken");
      }),
    );
  });

  it("never fails in another way than by refusing, whatever the text", () => {
    const hostile = fc.array(fc.constantFrom(...'{}[]",:\\u0019e-+. \u0000\ud800a'.split(""), "__proto__"), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(hostile, (parts) => {
        expect(["taken", "invalid_json", "invalid_encoding", "forbidden_key"]).toContain(refusal(parts.join("")));
      }),
      { numRuns: 2_000 },
    );
  });

  it("M11: refuses a depth that JSON.parse takes and JSON.stringify dies of, without recursion", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "1}"],
      ['[{"a":', "}]"],
    ] as const) {
      const deep = open.repeat(1_000_000);
      expect(refusal(deep)).toBe("invalid_json");
      expect(refusal(deep + close.repeat(1_000_000))).toBe("invalid_json");
    }
    const parsed: unknown = JSON.parse("[".repeat(1_000_000) + "]".repeat(1_000_000));
    expect(() => JSON.stringify(parsed)).toThrow(RangeError);
  });

  it.each([
    ["depth", "[".repeat(JSON_LIMITS.depth) + "]".repeat(JSON_LIMITS.depth), "[".repeat(JSON_LIMITS.depth + 1)],
    ["values", `[${"1,".repeat(JSON_LIMITS.nodes - 2)}1]`, `[${"1,".repeat(JSON_LIMITS.nodes - 1)}1]`],
    ["string length", `"${"x".repeat(JSON_LIMITS.stringLength)}"`, `"${"x".repeat(JSON_LIMITS.stringLength + 1)}"`],
    ["key length", `{"${"x".repeat(JSON_LIMITS.keyLength)}":1}`, `{"${"x".repeat(JSON_LIMITS.keyLength + 1)}":1}`],
    ["integers", "9007199254740991", "9007199254740992"],
  ])("takes the limit of %s and refuses one more", (_name, within, beyond) => {
    expect(refusal(within)).toBe("taken");
    expect(refusal(beyond)).toBe("invalid_json");
  });

  it.each([
    ['{"a":1,"b":{"a":2}}', "taken"],
    ['[{"a":1},{"a":1}]', "taken"],
    ['{"a":{"b":1},"b":1,"a":2}', "invalid_json"],
    ['{"constructor":1,"prototype":2}', "taken"],
    ['{"constructor":{"prototype":1}}', "forbidden_key"],
    ['{"constructor":{"x":{"prototype":1}}}', "taken"],
    ['{"a":"__proto__"}', "taken"],
    ['{"a":["\\"__proto__\\":"]}', "taken"],
    ['{"a":"\\ud83d\\ude00"}', "taken"],
    ['{"a":"\\ud83d"}', "invalid_encoding"],
  ])("answers %s with %s", (text, answer) => {
    expect(refusal(text)).toBe(answer);
  });
});
