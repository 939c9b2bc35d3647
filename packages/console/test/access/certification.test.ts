import { byKeyboard, CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";

const ITEMS = 200;
const OF_REQUEST = 20;
const NAME = "Access to archives";

/** Grants an agent access to so many repositories, and begins a certification of it. Returns its id. */
async function seed({ estate: { staff, assetIds }, access, controlPlane }: LivingConsole): Promise<string> {
  const agent = assetIds.get("Claims letters") as string;
  const { items: targets } = await staff.admin.do("GET", "/api/v1/access-targets");
  const target = targets.find(({ name }: { name: string }) => name === "Code host").connectorInstanceId;
  const at = `/api/v1/access-targets/${target}`;
  const account = access.account("northwind-code");
  const archives = Array.from({ length: ITEMS }, (_, one) => `archive-${String(one + 1).padStart(3, "0")}`);
  account.resources = [
    ...account.resources,
    ...archives.map((name) => ({ type: "repository", externalId: name, name })),
  ];
  await staff.admin.do("POST", `${at}/resources/sync?resourceType=repository`);
  await controlPlane.tick();
  const { items: profiles } = await staff.admin.do("GET", `${at}/access-profiles`);
  const profile = profiles.find(({ externalId }: { externalId: string }) => externalId === "write").id;
  const resources: { id: string; name: string }[] = [];
  for (let page = 0; resources.length < ITEMS; page++) {
    const { items } = await staff.admin.do("GET", `${at}/resources?size=100&page=${page}&search=archive`);
    if (items.length === 0) break;
    resources.push(...items);
  }
  expect(resources).toHaveLength(ITEMS);
  const asked = [];
  for (let from = 0; from < ITEMS; from += OF_REQUEST) {
    const items = resources
      .slice(from, from + OF_REQUEST)
      .map(({ id }) => ({ accessProfileId: profile, resourceId: id }));
    const body = { connectorInstanceId: target, items, duration: "P20D", reason: "It reads what was archived." };
    asked.push(await staff.builder.do("POST", `/api/v1/ai-assets/${agent}/access-requests`, body));
  }
  for (const { id, scopeHash } of asked) {
    const vote = { expectedScopeHash: scopeHash, reason: "It needs it for its work." };
    await staff.approver.do("POST", `/api/v1/access-requests/${id}/approve`, vote);
  }
  for (let rounds = 0; rounds < 20; rounds++) {
    await controlPlane.tick();
    const states = await Promise.all(asked.map(({ id }) => staff.builder.do("GET", `/api/v1/access-requests/${id}`)));
    if (states.every(({ status }) => status === "provisioned")) break;
  }
  const certification = await staff.officer.do("POST", "/api/v1/access-certifications", {
    ...{ name: NAME, scope: { assetIds: [agent], profileIds: [profile] } },
    stages: [{ reviewer: "users", userIds: [staff.second.id] }],
  });
  await controlPlane.tick();
  return certification.id;
}

describe.skipIf(!CHROMIUM.path)(`a certification of ${ITEMS} items by keyboard${CHROMIUM.note}`, () => {
  let living: LivingConsole;
  let id: string;
  beforeAll(async () => {
    living = await livingConsole("fastify");
    id = await seed(living);
  });
  afterAll(() => living?.stop());

  const countsOf = async () =>
    (await living.estate.staff.second.do("GET", `/api/v1/access-certifications/${id}`)).counts;
  const rows = (page: Page) => page.getByRole("table", { name: "Items of this certification" }).getByRole("row");

  it(`keeps 170 and revokes 30, is left and come back to`, async () => {
    await living.as("second", async ({ page, keyboard }) => {
      await page.goto("/console/access");
      await keyboard.activate("link", NAME);
      await page.getByText(`0 of ${ITEMS}`).waitFor();
      await expectAccessible(page);
      await keyboard.tabTo("checkbox", /^Choose /);
      // One after another: the reason is typed once.
      for (let done = 1; done <= 5; done++) {
        const before = await keyboard.focused();
        await keyboard.press("r");
        const dialog = page.getByRole("dialog");
        await dialog.waitFor();
        if (done === 1) {
          await keyboard.fill("textbox", "Reason", "Archives are read by nobody now.");
          await expectAccessible(page);
        } else await keyboard.tabTo("textbox", "Reason");
        await keyboard.press("Enter");
        await page.getByText(`${done} of ${ITEMS}`).waitFor();
        await dialog.waitFor({ state: "hidden" });
        // The focus goes on to the next row.
        await expect.poll(() => keyboard.focused()).toContain("checkbox");
        expect(await keyboard.focused()).not.toBe(before);
      }
      // Shortening asks until when; it is left again.
      await keyboard.press("s");
      await page.getByRole("dialog").getByLabel("Until").waitFor();
      await keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      // Several at once: marked from row to row.
      await keyboard.tabTo("checkbox", /^Choose /);
      for (let marked = 1; marked <= 25; marked++) {
        await keyboard.press("x");
        await keyboard.press("ArrowDown");
      }
      await page.getByRole("button", { name: "Revoke 25 items" }).waitFor();
      await keyboard.press("b");
      await keyboard.fill("textbox", "Reason, for all of them", "Archives are read by nobody now.");
      await keyboard.activate("button", "Revoke 25 items");
      await page.getByText("25 items are to be revoked.").waitFor();
      await page.getByText(`30 of ${ITEMS}`).waitFor();
    });
    expect(await countsOf()).toMatchObject({ revoke: 30, pending: 170 });

    await living.as("second", async ({ page }) => {
      const keyboard = byKeyboard(page);
      await page.goto(`/console/access/certifications/${id}`);
      await page.getByText(`30 of ${ITEMS}`).waitFor();
      for (const [chosen, done] of [
        [100, 130],
        [70, 200],
      ] as const) {
        await keyboard.activate("button", `Choose ${chosen} items that nothing speaks against`);
        await keyboard.fill("textbox", "Reason, for all of them", "It works on them.");
        await keyboard.activate("button", `Keep ${chosen} items`);
        await page.getByText(`${done} of ${ITEMS}`).waitFor();
        await keyboard.press("Shift+Tab", 2);
      }
      await expect.poll(() => rows(page).count()).toBe(0);
      await expectAccessible(page);
    });
    const { staff } = living.estate;
    const outcomes = new Map<string, number>();
    for (const page of [0, 1]) {
      const { items } = await staff.second.do("GET", `/api/v1/access-certifications/${id}/items?size=100&page=${page}`);
      for (const { outcome } of items) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(Object.fromEntries(outcomes)).toEqual({ certified: 170, revoke: 30 });
    const chain = await staff.auditor.do("GET", "/api/v1/ai-governance/audit/verification");
    expect(chain.valid).toBe(true);
  });
});
