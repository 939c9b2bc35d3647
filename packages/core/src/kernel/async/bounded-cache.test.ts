import { describe, expect, it } from "vitest";
import { boundedCache } from "./bounded-cache.js";

describe("a bounded cache", () => {
  it("keeps as many as it may, and forgets what was used longest ago", () => {
    const cache = boundedCache<string, number>(3);
    for (const [at, key] of ["a", "b", "c"].entries()) cache.set(key, at);
    expect([...cache.keys()]).toEqual(["c", "b", "a"]);
    expect(cache.get("a")).toBe(0);
    cache.set("d", 3);
    cache.set("c", 4);
    expect([...cache.entries()]).toEqual([
      ["c", 4],
      ["d", 3],
      ["a", 0],
    ]);
  });
});
