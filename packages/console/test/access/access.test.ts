import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";

describe.skipIf(!CHROMIUM.path)(`access in a browser${CHROMIUM.note}`, () => {
  let living: LivingConsole;
  beforeAll(async () => {
    living = await livingConsole("express");
  });
  afterAll(() => living?.stop());

  it("has an owner ask for access by keyboard, an approver approve less, and shows what came of it", async () => {
    const { staff, assetIds } = living.estate;
    const agent = assetIds.get("Claims letters") as string;
    await living.as("builder", async ({ page, keyboard }) => {
      await page.goto("/console/access/requests");
      await keyboard.activate("link", "Ask for access");
      await keyboard.tabTo("combobox", "Agents");
      await page.getByLabel("Agents").selectOption("all");
      await page.getByLabel("For which agent").selectOption(agent);
      await expectAccessible(page);
      await keyboard.tabTo("radio", "Code host");
      await page.keyboard.press("Space");
      await page.getByLabel("Which access").selectOption({ label: "Write" });
      await page.getByLabel("To what").selectOption({ label: "tariff-engine" });
      await keyboard.fill("spinbutton", "For how many days", "20");
      await keyboard.fill("textbox", "Reason", "It writes the letters of another tariff.");
      const preview = page.getByRole("region", { name: "What you ask for" });
      await preview.getByText(/may read and change "tariff-engine".*for P20D/).waitFor();
      await preview.getByText("It takes an approval.", { exact: true }).first().waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", "Ask");
      await page.getByText("awaits approval").waitFor();
      await expectAccessible(page);
    });
    const { items } = await staff.builder.do("GET", `/api/v1/access-requests?assetId=${agent}&status=pending_approval`);
    expect(items).toMatchObject([{ duration: "P20D", requestedBy: staff.builder.id }]);
    const [{ id }] = items;

    const { items: waiting } = await staff.approver.do("GET", "/api/v1/reviews?kind=access_request&mine=true&size=100");
    const review = waiting.find((one: { subjectId?: string; id: string }) => JSON.stringify(one).includes(id));
    const until = new Date(living.clock.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    await living.as("approver", async ({ page, expectStatus }) => {
      // What is decided waits no more.
      expectStatus(404);
      await page.goto(`/console/inbox/${review.id}`);
      await page.getByRole("button", { name: "Approve for a shorter time" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(/until/i).fill(until);
      await dialog.getByRole("button", { name: "Approve for a shorter time" }).click();
      await dialog.waitFor({ state: "hidden" });
    });
    await living.controlPlane.tick();

    await living.as("builder", async ({ page }) => {
      await page.goto("/console/access/assignments");
      const row = page.getByRole("row").filter({ hasText: "tariff-engine" }).filter({ hasText: "Claims letters" });
      await row.getByText("active", { exact: true }).waitFor();
      await expectAccessible(page);
      await row.getByRole("link").click();
      await page.getByRole("region", { name: "Use over 90 days" }).waitFor();
      await expectAccessible(page);
    });
    const request = await staff.builder.do("GET", `/api/v1/access-requests/${id}`);
    expect(request.status).toBe("provisioned");
    const [{ assignmentId }] = request.items;
    const assignment = await staff.builder.do("GET", `/api/v1/access-assignments/${assignmentId}`);
    expect(assignment.expiresAt.slice(0, 10) <= until).toBe(true);
  });

  it("revokes access after it has shown what that may break, on a phone", async () => {
    const { items } = await living.estate.staff.officer.do("GET", "/api/v1/access-assignments?status=active");
    const [{ id, name }] = items;
    await living.as(
      "officer",
      async ({ page }) => {
        await page.goto(`/console/access/assignments/${id}`);
        await page.getByRole("button", { name: "Revoke" }).click();
        const dialog = page.getByRole("dialog", { name: `Revoke ${name}?` });
        await dialog
          .getByRole("region", { name: "What that may break" })
          .getByText(/of the agent run now/)
          .waitFor();
        await expectAccessible(page);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        await dialog.getByLabel("Reason").fill("It is not needed any more.");
        await dialog.getByRole("button", { name: "Revoke" }).click();
        await page.getByText("being revoked").waitFor();
      },
      { width: "phone" },
    );
    const after = await living.estate.staff.officer.do("GET", `/api/v1/access-assignments/${id}`);
    expect(after).toMatchObject({ status: "revoking", endReason: "revoked", effective: false });
  });

  it("ends access that nobody uses from its list, by keyboard, and shows apart what nobody can tell", async () => {
    const { officer } = living.estate.staff;
    const { items, unknown } = await officer.do("GET", "/api/v1/access-unused?days=7&size=100");
    // No connector of this estate tells of use.
    expect(items).toEqual([]);
    const { id, name } = unknown.at(-1);
    await living.as("officer", async ({ page, keyboard }) => {
      await page.goto("/console/access");
      await keyboard.activate("link", "Not used");
      await keyboard.tabTo("combobox", "Not used for");
      await page.keyboard.press("7");
      await page.getByRole("region", { name: "Not used" }).getByText("No access is known to be unused").waitFor();
      const untold = page.getByRole("region", { name: "Nobody can tell whether it is used" });
      await untold.getByText("The connector tells of no use.").first().waitFor();
      expect(await untold.getByRole("row").count()).toBe(unknown.length + 1);
      await keyboard.activate("button", `Revoke: ${name}`);
      await page.getByRole("dialog").getByText("Nobody can tell whether it is used.").waitFor();
      await expectAccessible(page);
      await keyboard.fill("textbox", "Reason", "Its team uses another system.");
      await keyboard.activate("button", "Revoke");
      await expect.poll(() => untold.getByRole("row").count()).toBe(unknown.length);
    });
    const ended = await officer.do("GET", `/api/v1/access-assignments/${id}`);
    expect(ended).toMatchObject({ endReason: "revoked", effective: false });
  });

  it("takes a request back, and shows drift with what a repair would do", async () => {
    const { staff } = living.estate;
    const { items } = await staff.builder.do(
      "GET",
      `/api/v1/access-requests?requestedBy=${staff.builder.id}&status=pending_approval`,
    );
    const [{ id }] = items;
    await living.as("builder", async ({ page }) => {
      await page.goto(`/console/access/requests/${id}`);
      await page.getByRole("button", { name: "Take back" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Reason").fill("Another agent does it.");
      await dialog.getByRole("button", { name: "Take back" }).click();
      await page.getByText("taken back", { exact: true }).waitFor();
    });
    expect((await staff.builder.do("GET", `/api/v1/access-requests/${id}`)).status).toBe("cancelled");

    const { items: drifted } = await staff.officer.do("GET", "/api/v1/access-drift?status=open");
    expect(drifted.length).toBeGreaterThan(0);
    await living.as("officer", async ({ page }) => {
      await page.goto("/console/access/drift?status=open");
      await page.getByRole("table").getByText("gone from the system").first().waitFor();
      await expectAccessible(page);
      await page
        .getByRole("button", { name: /^Put right: / })
        .first()
        .click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("How").selectOption("end");
      await dialog.getByText("The access ends here", { exact: false }).waitFor();
      await expectAccessible(page);
      await dialog.getByLabel("Reason").fill("It was taken away for good.");
      await dialog.getByRole("button", { name: "Put right" }).click();
      await dialog.waitFor({ state: "detached" });
    });
    const { status } = await staff.officer.do("GET", `/api/v1/access-drift/${drifted[0].id}`);
    expect(["repairing", "resolved"]).toContain(status);
  });
});
