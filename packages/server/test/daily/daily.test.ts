import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Estate, PASSWORD, startEstate } from "./estate.js";

let estate: Estate;
beforeAll(async () => {
  estate = await startEstate();
});
afterAll(() => estate.stop());

const agent = async (name: string) => {
  const { data } = await estate.ada.POST("/api/v1/ai/agents", { body: { name, kind: "autonomous" } });
  return data;
};

describe("signing in", () => {
  it("keeps the token in a file for its owner alone", () => {
    const file = join(estate.directory, "config/reeve/profiles.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, "..")).mode & 0o777).toBe(0o700);
    expect(readFileSync(file, "utf8")).not.toContain(PASSWORD);
  });

  it("says who asks", async () => {
    const { output, code } = await estate.as("grace", "whoami");
    expect(code).toBe(0);
    expect(output).toContain("grace@acme.example");
    expect(output).toContain(estate.address);
    expect((await estate.json("olga", "whoami")).items).toMatchObject([{ username: "olga@other.example" }]);
  });
});

describe("an agent from its review to its stop", () => {
  it("is approved by another person, and suspended", async () => {
    const { assetId } = await agent("Support agent");
    const path = { params: { path: { id: assetId } } };
    await estate.ada.PATCH("/api/v1/ai-assets/{id}/governance-state", { ...path, body: { status: "under_review" } });
    const { items } = await estate.json("grace", "reviews", "--mine");
    expect(items).toMatchObject([{ kind: "asset_review", name: "Support agent" }]);
    const [{ id }] = items;
    const refused = await estate.as("ada", "approve", id);
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("self_approval_forbidden")]);
    expect((await estate.as("vic", "approve", id)).errors).toContain("permission_denied");
    expect((await estate.as("olga", "approve", id)).errors).toContain("nothing of this id");
    const approved = await estate.as("grace", "approve", id, "--reason", "Looked at its tools.");
    expect([approved.code, approved.errors]).toEqual([0, expect.stringContaining('approved: "Support agent"')]);
    expect((await estate.as("grace", "approve", id)).errors).toContain("nothing of this id");
    expect((await estate.as("grace", "suspend", "Support agent")).code).toBe(0);
    expect((await estate.json("ada", "show", "Support agent")).items).toMatchObject([{ governanceState: "suspended" }]);
    expect((await estate.as("olga", "show", "Support agent")).errors).toContain('is called "Support agent"');
  });
});
