import { expect, it } from "vitest";
import { identifier, snake } from "../src/schema/names.js";
import { specOf } from "../src/schema/table-spec.js";

it("snake-cases field names", () => {
  expect([snake("createdAt"), snake("assetType"), snake("name")]).toEqual(["created_at", "asset_type", "name"]);
});

it("keeps identifiers within 63 bytes and apart", () => {
  const long = "x".repeat(60);
  const names = [identifier("ix", long, "a"), identifier("ix", long, "b"), identifier("ix", "short")];
  expect(names[2]).toBe("ix_short");
  for (const name of names) expect(name.length).toBeLessThanOrEqual(63);
  expect(new Set(names).size).toBe(3);
});

it("refuses a field whose column the table needs itself, or that another field has", () => {
  const shape = { name: "x", scope: "tenant", indexes: [], unique: {}, uniqueInTenant: [] } as const;
  for (const field of ["body", "tenantId", "removedAt", "n"]) {
    expect(() => specOf({ ...shape, fields: { [field]: { type: "text" } } })).toThrow(TypeError);
  }
  const twice = { aB: { type: "text" }, a_b: { type: "text" } } as const;
  expect(() => specOf({ ...shape, fields: twice })).toThrow(TypeError);
});
