import { expect, it } from "vitest";
import { cutText, nameOf } from "./cut-text.js";

it("keeps what fits, and cuts no character in half", () => {
  expect(cutText("abc", 3)).toBe("abc");
  expect(cutText("abcd", 3)).toBe("abc");
  expect(cutText("ab😀", 4)).toBe("ab😀");
  expect(cutText("ab😀", 3)).toBe("ab");
  expect(nameOf("😀".repeat(150))).toBe("😀".repeat(100));
  expect(nameOf(`a${"😀".repeat(150)}`)).toHaveLength(199);
});
