import { expect, it } from "vitest";
import { planFind } from "#store/find-plan.js";
import type { Filters } from "#store/find-query.js";
import { findings } from "./schema.js";

it("K18, O11 lists of what people look for are answered by one index each, out of at most eleven", () => {
  const asked: Filters[] = [
    {},
    { assetId: "a" },
    { policyId: "p" },
    { severity: "high" },
    { baseline: true },
    { status: ["open", "acknowledged"] },
    { policyId: "p", status: "dismissed" },
    { policyId: "p", status: ["open", "in_progress"] },
  ];
  for (const where of asked) expect(planFind(findings, { where, size: 25 }).residual).toEqual([]);
  expect(findings.indexes.length).toBeLessThanOrEqual(11);
});
