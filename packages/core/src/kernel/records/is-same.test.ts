import { expect, it } from "vitest";
import { isSame } from "./is-same.js";

it.each([
  ["the same text", "a", "a", true],
  ["texts that differ", "a", "b", false],
  ["a number and its text", 1, "1", false],
  ["null and nothing", null, undefined, false],
  ["keys in another order", { a: 1, b: [2] }, { b: [2], a: 1 }, true],
  ["a key without a value", { a: 1, b: undefined }, { a: 1 }, true],
  ["a key with null", { a: null }, {}, false],
  ["a key more", { a: 1 }, { a: 1, b: 2 }, false],
  ["a key that every object inherits", JSON.parse('{"__proto__":{}}'), {}, false],
  ["lists in another order", [1, 2], [2, 1], false],
  ["a list and its beginning", [1, 2], [1], false],
  ["a list and an object with its keys", [1], { 0: 1 }, false],
  ["values deep inside", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, false],
])("%s", (_, one, other, same) => {
  expect([isSame(one, other), isSame(other, one)]).toEqual([same, same]);
});
