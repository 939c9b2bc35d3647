import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";

const POLICIES = "/api/v1/ai-governance/policies";
const openOf = (counts: readonly { policyKey: string; open: number }[], key: string) =>
  counts.find(({ policyKey }) => policyKey === key)?.open ?? 0;
const TEST = (name: string, purpose: string) => JSON.stringify({ asset: { name, purpose } });

describe.skipIf(!CHROMIUM.path)(`policies in a browser${CHROMIUM.note}`, () => {
  let world: LivingConsole;
  beforeAll(async () => {
    world = await livingConsole("fastify");
  });
  afterAll(() => world?.stop());
  const staff = () => world.estate.staff;
  const policyOf = async (key: string) =>
    (await staff().officer.do("GET", `${POLICIES}?search=${key}`)).items.find(
      (one: { key: string }) => one.key === key,
    );

  it("lists them by filters that stand in the address, with their open findings", async () => {
    await world.as("officer", async ({ page }) => {
      await page.goto("/console/policies");
      await page.getByRole("link", { name: "Write a policy" }).waitFor();
      await page.getByLabel("State").selectOption("active");
      await expect.poll(() => page.getByRole("row").count()).toBeLessThan(15);
      expect(new URL(page.url()).search).toBe("?status=active");
      const { topPolicies } = await staff().officer.do("GET", "/api/v1/ai-governance/dashboard/summary?size=100");
      const { items } = await staff().officer.do("GET", `${POLICIES}?status=active`);
      const [name, open] = items
        .map(({ key, name: named }: { key: string; name: string }) => [named, openOf(topPolicies, key)])
        .sort(([, one]: [string, number], [, other]: [string, number]) => other - one)[0];
      expect(open).toBeGreaterThan(0);
      const row = page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
      await expect.poll(() => row.getByRole("cell").nth(5).textContent()).toBe(String(open));
    });
  });

  it("takes one from nothing to active by two people, after its back-test, by keyboard alone", async () => {
    const url = await world.as("officer", async ({ page, keyboard }) => {
      await page.goto("/console/policies/new");
      await keyboard.fill("textbox", "Name", "Every agent says what it is for");
      await keyboard.fill("textbox", "Key", "purpose-said");
      await keyboard.toggle("checkbox", "Its findings hold assets back from production");
      await keyboard.toggle("checkbox", "agent");
      await keyboard.fill("textbox", "Key of the rule", "said");
      await keyboard.tabTo("textbox", "Must be true");
      await page.getByText("Tab leaves the field.").first().waitFor();
      await page.keyboard.type('asset.purpsoe != ""');
      // Tab leaves the editor for the field after it, and Shift and Tab come back.
      await keyboard.press("Escape");
      await keyboard.press("Tab");
      expect(await keyboard.focused()).toContain('textbox "What to tell people"');
      await page.keyboard.type("{asset.name} says nothing.");
      await keyboard.press("Shift+Tab");
      await page.getByText("1 fault to mend").waitFor();
      await page.locator(".cm-lintRange-error").waitFor();
      await expectAccessible(page);
      // What there is to read is offered as one types.
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type("asset.purp");
      await page.getByRole("option", { name: /asset\.purpose/ }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press("Enter");
      await page.keyboard.type(' != ""');
      await page.getByText("The rules are right. There is no test yet.").waitFor();
      for (const [at, name, purpose] of [
        [0, "said", "claims"],
        [1, "silent", ""],
      ] as const) {
        await keyboard.activate("button", "Add a test");
        // The new test stands before the button that added it.
        await page.getByRole("group", { name: `Test ${at + 1}` }).waitFor();
        await keyboard.tabBackTo("textbox", "Name of the test");
        await page.keyboard.type(name);
        await keyboard.fill("textbox", "Values", TEST("x", purpose));
      }
      await page.getByText("1 test fails").waitFor();
      await keyboard.choose("Wants", "fails");
      await page.getByText("The rules are right, and all tests pass.").waitFor();
      await keyboard.activate("button", "Save as a draft");
      await page.getByRole("heading", { name: "Every agent says what it is for" }).waitFor();
      await keyboard.activate("link", "Tests");
      await expect.poll(() => page.getByText("passed", { exact: true }).count()).toBe(2);
      await expectAccessible(page);
      await keyboard.activate("link", "Back-test");
      await keyboard.choose("How far back", "7 days");
      await keyboard.activate("button", "Run the back-test");
      await page.getByRole("heading", { name: "Assets that failed" }).waitFor();
      await page.getByRole("link", { name: "Tariff comparison" }).waitFor();
      await keyboard.unfold("The same as a table");
      await expectAccessible(page);
      // It is there when one comes back.
      await keyboard.activate("link", "Activation");
      await page.getByText("You may not put it in force yourself:").waitFor();
      await expectAccessible(page);
      await page.goBack();
      await page.getByRole("link", { name: "Tariff comparison" }).waitFor();
      expect(await page.getByRole("button", { name: "Put in force" }).count()).toBe(0);
      await keyboard.activate("button", "Ask for activation");
      await keyboard.fill("textbox", "Reason", "Customers ask what each agent is for.");
      await keyboard.activate("button", "Ask for activation");
      await page.getByRole("region", { name: "Waits for a second person" }).waitFor();
      await expectAccessible(page);
      expect(await page.getByRole("button", { name: "Confirm" }).count()).toBe(0);
      return page.url();
    });
    const { id, digest, pending } = await policyOf("purpose-said");
    expect(pending).toMatchObject({ by: staff().officer.id, status: "active" });
    await world.as("admin", async ({ page, keyboard }) => {
      await page.goto(url);
      await page.getByText("Customers ask what each agent is for.").waitFor();
      await keyboard.activate("button", "Confirm");
      await page.getByRole("dialog").waitFor();
      await expectAccessible(page);
      await keyboard.fill("textbox", "Reason", "Agreed.");
      await keyboard.activate("button", "Confirm");
      await page.getByText("in force", { exact: true }).waitFor();
      await keyboard.activate("button", "Evaluate now");
      await page.getByRole("dialog").waitFor();
      await keyboard.activate("button", "Evaluate now");
      await page.getByText(/^Last evaluation of this policy alone: done/).waitFor();
      // The area of that name comes first.
      await keyboard.tabTo("link", "Activation");
      await keyboard.press("Tab");
      await keyboard.activate("link", "Activity", 0);
      await page.getByText("draft → active").waitFor();
    });
    expect(await policyOf("purpose-said")).toMatchObject({ status: "active", digest, pending: null });
    const { items: findings } = await staff().officer.do("GET", `/api/v1/ai-governance/findings?policyId=${id}`);
    expect(findings.map(({ assetName }: { assetName: string }) => assetName)).toContain("Tariff comparison");
    const { items: events } = await staff().auditor.do("GET", `/api/v1/ai/activity/${id}`);
    expect(events.find(({ tostate }: { tostate?: string }) => tostate === "active")).toMatchObject({
      fromstate: "draft",
      authid: staff().admin.id,
    });
    const chain = await staff().auditor.do("GET", "/api/v1/ai-governance/audit/verification");
    expect(chain).toMatchObject({ fault: null });
  });

  it("is changed by keyboard alone, and shows what differs from the version before", async () => {
    await staff().officer.do("POST", POLICIES, {
      ...{ name: "Agents have owners", key: "owned", selector: { assetTypes: ["agent"] } },
      rules: [{ key: "owner", assert: "asset.hasOwner", message: "{asset.name} has no owner." }],
    });
    const { id } = await policyOf("owned");
    await world.as("officer", async ({ page, keyboard }) => {
      await page.goto(`/console/policies/${id}`);
      await keyboard.activate("link", "Change");
      await page.getByRole("heading", { name: "Change Agents have owners" }).waitFor();
      await keyboard.tabTo("textbox", "Must be true", 120);
      await keyboard.press("ControlOrMeta+End");
      await page.keyboard.type(" && asset.hasTeam");
      await page.getByText("There is no test yet.").waitFor();
      await keyboard.activate("button", "Save", 120);
      await page.getByRole("heading", { name: "Agents have owners", exact: true }).waitFor();
      await keyboard.activate("link", "Versions", 120);
      await page.getByRole("heading", { name: "Difference of two versions" }).waitFor();
      await page.locator("ins", { hasText: "asset.hasOwner && asset.hasTeam" }).waitFor();
      await expectAccessible(page);
    });
    expect(await policyOf("owned")).toMatchObject({
      revision: 2,
      rules: [{ assert: "asset.hasOwner && asset.hasTeam" }],
    });
  });
});
