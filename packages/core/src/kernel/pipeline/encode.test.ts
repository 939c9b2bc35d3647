import { describe, expect, it } from "vitest";
import { type Answer, toResponse } from "./encode.js";

const answer = (body: Answer["body"], status = 200): Answer => ({ status, body, headers: {} });
const lengthOf = (given: Answer, head = false) =>
  toResponse(given, {}, "req_1", head, undefined).headers["content-length"];

describe("the length of an answer", () => {
  it("counts bytes, not characters", () => {
    expect(lengthOf(answer("Prüfung 🚦"))).toBe("13");
    expect(lengthOf(answer(new Uint8Array([0, 255, 7])))).toBe("3");
    expect(lengthOf(answer(""))).toBe("0");
  });

  it("is left out where no body goes along", () => {
    expect(lengthOf(answer(null, 304))).toBeUndefined();
    expect(lengthOf(answer("text"), true)).toBeUndefined();
  });
});
