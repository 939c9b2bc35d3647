import { describe, expect, it } from "vitest";
import { operations } from "./index.js";
import { ACCESS_ORDER } from "./order.js";

describe("the order of the reference", () => {
  it("names each operation of the areas of access once", () => {
    const ids = operations.filter(({ tag }) => tag === "AI Access Governance").map(({ id }) => id);

    expect(ids).toEqual(ACCESS_ORDER);
  });
});
