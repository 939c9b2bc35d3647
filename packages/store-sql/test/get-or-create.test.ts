import { LRUCache } from "lru-cache";
import { expect, it } from "vitest";
import { getOrCreate } from "../src/query/get-or-create.js";

it("makes a value once and forgets what was used longest ago", () => {
  const evicted: string[] = [];
  const made: string[] = [];
  const cache = new LRUCache<string, string>({ max: 2, dispose: (value) => evicted.push(value) });
  const get = (key: string) =>
    getOrCreate(cache, key, () => {
      made.push(key);
      return key.toUpperCase();
    });
  expect([get("a"), get("b"), get("a"), get("c"), get("a"), get("b")]).toEqual(["A", "B", "A", "C", "A", "B"]);
  expect(made).toEqual(["a", "b", "c", "b"]);
  expect(evicted).toEqual(["B", "C"]);
  expect(cache.size).toBe(2);
});
