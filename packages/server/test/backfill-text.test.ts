import { expect, it } from "vitest";
import { backfillText } from "../src/service/backfill-text.js";

it("K17 says how far a backfill is", () => {
  const backfill = { name: "2/ai_assets", done: 0, total: 0, finished: false };
  expect(backfillText(backfill)).toBe("the backfill 2/ai_assets has not begun");
  expect(backfillText({ ...backfill, done: 500, total: 1_300 })).toBe("the backfill 2/ai_assets is at 38 %");
  expect(backfillText({ ...backfill, done: 1_301, total: 1_300 }), "rows came meanwhile").toContain("99 %");
  expect(backfillText({ ...backfill, finished: true })).toBe("the backfill 2/ai_assets is finished");
});
