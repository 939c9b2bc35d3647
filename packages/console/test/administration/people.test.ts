import { CHROMIUM, expectAccessible, type RunningChromium, startChromium, visit } from "@reeve/testkit/browser";
import { livingPlane } from "@reeve/testkit/living-estate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedConsole, servedConsole, signIn } from "../served-console.js";

describe.skipIf(!CHROMIUM.path)(`people in a browser${CHROMIUM.note}`, () => {
  let chromium: RunningChromium;
  let served: ServedConsole<Awaited<ReturnType<typeof livingPlane>>>;
  beforeAll(async () => {
    [chromium, served] = await Promise.all([startChromium(), servedConsole("express", livingPlane)]);
  });
  afterAll(async () => {
    await chromium?.stop();
    await served?.close();
  });
  const staff = () => served.plane.estate.staff;

  it("says what each role permits, leads to who has it, and gives another, which ends their sign-ins", async () => {
    const { admin, builder } = staff();
    const { items, permissions } = await admin.do("GET", "/api/v1/roles");
    await visit(chromium.browser, { origin: served.origin }, async ({ page, keyboard, expectStatus }) => {
      expectStatus(401);
      await page.goto("/console/administration/roles");
      await signIn(page, admin);
      const permits = page.getByRole("table", { name: "What roles permit" }).getByRole("row");
      await expect.poll(() => permits.count()).toBe(permissions.length + 1);
      const member = items.find(({ name }: { name: string }) => name === "member");
      await keyboard.choose("Role", "member");
      await expect.poll(() => permits.count()).toBe(member.permissions.length + 1);
      await keyboard.activate("link", "Show people with the role member");
      await page.getByRole("link", { name: builder.name }).waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: builder.name }).click();
      await page.getByRole("heading", { name: "Lost second factors" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Change roles" }).click();
      await page.getByRole("dialog").getByLabel("operator").check();
      await expectAccessible(page);
      await page.getByRole("dialog").getByRole("button", { name: "Change roles" }).click();
      await page.getByText("member, operator").waitFor();
    });
    expect((await admin.do("GET", `/api/v1/users/${builder.id}`)).roles).toEqual(["member", "operator"]);
  });

  it("has lost second factors removed by two people", async () => {
    const { admin, owner, second } = staff();
    const path = `/console/administration/people/${second.id}`;
    await visit(chromium.browser, { origin: served.origin }, async ({ page, expectStatus }) => {
      expectStatus(401);
      await page.goto(path);
      await signIn(page, admin);
      await page.getByRole("button", { name: "Ask to remove the second factors" }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("The phone is lost.");
      await page.getByRole("dialog").getByRole("button", { name: "Ask", exact: true }).click();
      await page.getByText("Another administrator must decide").waitFor();
    });
    await visit(chromium.browser, { origin: served.origin }, async ({ page, expectStatus }) => {
      expectStatus(401);
      await page.goto(path);
      await signIn(page, owner);
      await page.getByRole("button", { name: "Remove the factors" }).click();
      await page.getByText("removed", { exact: false }).first().waitFor();
    });
    const { items } = await admin.do("GET", `/api/v1/second-factor-resets?userId=${second.id}`);
    expect(items).toMatchObject([{ status: "approved", requestedBy: admin.id, decidedBy: owner.id }]);
  });
});
