import { expect, it } from "vitest";
import { collections } from "#families/index.js";

const filtersOf = (name: string) => Object.keys(collections.find((one) => one.name === name)?.filters ?? {});

it.each([
  ["findings", ["severity", "policyId", "assetId"]],
  ["finding_reviews", ["severity", "policyId", "assetId"]],
  ["exemptions", ["severity", "policyId", "assetId"]],
  ["evaluation_runs", ["policyId", "assetId"]],
  ["ai_policies", ["severity"]],
])("K24 lists of %s filter by what their records have: %j", (name, wanted) => {
  const published = ["severity", "policyId", "assetId"];
  expect(
    filtersOf(name)
      .filter((filter) => published.includes(filter))
      .sort(),
  ).toEqual([...wanted].sort());
});
