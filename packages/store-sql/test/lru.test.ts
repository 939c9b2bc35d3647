import { expect, it } from "vitest";
import { Lru } from "../src/lru.js";

it("makes a value once and forgets what was used longest ago", () => {
  const evicted: string[] = [];
  const made: string[] = [];
  const lru = new Lru<string, string>(2, (value) => evicted.push(value));
  const get = (key: string) =>
    lru.getOrMake(key, () => {
      made.push(key);
      return key.toUpperCase();
    });
  expect([get("a"), get("b"), get("a"), get("c"), get("a"), get("b")]).toEqual(["A", "B", "A", "C", "A", "B"]);
  expect(made).toEqual(["a", "b", "c", "b"]);
  expect(evicted).toEqual(["B", "C"]);
  expect(lru.size).toBe(2);
});
