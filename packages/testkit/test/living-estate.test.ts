import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore } from "@reeve/core";
import { createSqliteStore } from "@reeve/store-sqlite";
import { livingPlane } from "@reeve/testkit/living-estate";
import { describe, expect, it, onTestFinished } from "vitest";

/** A migrated store in a file, which ends with the test. */
async function sqlite() {
  const folder = mkdtempSync(join(tmpdir(), "reeve-living-"));
  const store = createSqliteStore({ file: join(folder, "reeve.sqlite") });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  await store.migrate();
  return store;
}

describe("a living estate", () => {
  it.each([
    ["in memory", createMemoryStore],
    ["in SQLite", sqlite],
  ])("has something of every kind %s, as its people see it", async (_where, open) => {
    const store = await open();
    const { estate, controlPlane } = await livingPlane({ store });
    const { officer, approver, second } = estate.staff;
    const count = async (path: string) => (await officer.do("GET", `/api/v1/${path}`)).totalItems as number;
    expect(await count("ai-assets")).toBeGreaterThanOrEqual(40);
    const some = [
      ...["ai-governance/findings", "ai-governance/exemptions", "ai-governance/approvals?status=requested"],
      ...["ai/sessions?status=active", "ai/sessions?status=suspended", "ai/mcp-servers?manifestState=drifted"],
      ...["access-requests?status=pending_approval", "access-assignments?status=active", "access-drift?status=open"],
      ...["access-certifications?status=active", "reviews", "users"],
    ];
    for (const path of some) expect(await count(path), path).toBeGreaterThan(0);
    for (const one of [approver, second])
      expect((await one.do("GET", "/api/v1/me")).reviews.waiting.count, one.name).toBeGreaterThan(0);
    await controlPlane.close();
  });
});
