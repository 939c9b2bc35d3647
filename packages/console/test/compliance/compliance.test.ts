import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";

const COMPLIANCE = "/api/v1/ai/compliance";
const NIST = "nist-ai-rmf-1.0";

describe.skipIf(!CHROMIUM.path)(`compliance in a browser${CHROMIUM.note}`, () => {
  let world: LivingConsole;
  beforeAll(async () => {
    world = await livingConsole("express");
  });
  afterAll(() => world?.stop());
  const staff = () => world.estate.staff;

  it("shows the posture by framework as bars and as numbers, with unknown as such", async () => {
    const { items } = await staff().officer.do("GET", `${COMPLIANCE}/posture?size=100`);
    await world.as("officer", async ({ page }) => {
      await page.goto("/console/compliance");
      for (const { name, notAssessed, coverage } of items) {
        const row = page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
        await row.getByRole("img", { name: `Controls of ${name} by state` }).waitFor();
        const cells = await row.getByRole("cell").allTextContents();
        expect([cells[2], cells[7]]).toEqual([`${coverage}%`, String(notAssessed)]);
      }
      await expectAccessible(page);
      const [opened] = await Promise.all([
        page.context().waitForEvent("page"),
        page.getByRole("link", { name: "Report to print" }).click(),
      ]);
      await opened.getByRole("heading", { level: 1 }).waitFor();
      await opened.close();
    });
  });

  it("adopts a framework with roles, by keyboard alone", async () => {
    await world.as("officer", async ({ page, keyboard }) => {
      await page.goto("/console/compliance");
      const { name } = (await staff().officer.do("GET", `${COMPLIANCE}/frameworks/${NIST}`)) as { name: string };
      await keyboard.activate("button", `Adopt: ${name}`, 60);
      await page.getByRole("dialog").waitFor();
      await keyboard.tabTo("checkbox", "deployer");
      await page.keyboard.press("Space");
      await expectAccessible(page);
      await keyboard.activate("button", "Adopt");
      await page.getByText("adopted", { exact: true }).waitFor();
    });
    const { items } = await staff().officer.do("GET", `${COMPLIANCE}/frameworks`);
    expect(items.find(({ key }: { key: string }) => key === NIST).adoption).toMatchObject({ roles: ["deployer"] });
    expect((await staff().officer.do("GET", `${COMPLIANCE}/posture`)).totalItems).toBe(1);
  });

  it("attaches evidence to a control by hand, and asks a second person to attest it", async () => {
    await world.as("operator", async ({ page }) => {
      await page.goto(`/console/compliance/${NIST}?state=not_assessed`);
      await page.getByRole("link", { name: "GOVERN 2.2", exact: true }).waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: "GOVERN 2.2", exact: true }).click();
      await page.getByText("No evidence was attached by people.").waitFor();
      await page.getByRole("button", { name: "Attach evidence" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Where it is").fill("https://files.acme.example/training.pdf");
      await dialog.getByLabel("SHA-256 of the document").fill("9f".repeat(32));
      await dialog.getByLabel("Why the control stands as it does").fill("All took the course.");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Attach evidence" }).click();
      await page.getByText("https://files.acme.example/training.pdf").waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Ask for attestation" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Ask for attestation" }).click();
      await page.getByText("waits for a second person").waitFor();
    });
    const { items } = await staff().officer.do("GET", `${COMPLIANCE}?framework=${NIST}&controlId=GOVERN%202.2`);
    expect(items).toMatchObject([
      { workflow: "in_review", requestedBy: staff().operator.id, evidence: [{ type: "document" }] },
    ]);
  });

  it("fits a small phone, and files a report whose digest the record holds", async () => {
    await world.as(
      "officer",
      async ({ page }) => {
        for (const path of [`/${NIST}`, `/${NIST}/GOVERN%202.2`, ""]) {
          await page.goto(`/console/compliance${path}`);
          await page.getByRole("heading", { level: 1 }).waitFor();
          expect([path, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([
            path,
            true,
          ]);
        }
        await page.getByRole("button", { name: "File a report" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "File a report" }).click();
        const digest = await page.getByRole("status").filter({ hasText: "Filed as" }).locator("code").textContent();
        const { items } = await staff().auditor.do("GET", "/api/v1/ai/activity?size=5");
        expect(items.map(({ data }: { data: { digest?: string } }) => data.digest)).toContain(digest);
      },
      { width: "phone" },
    );
  });
});
