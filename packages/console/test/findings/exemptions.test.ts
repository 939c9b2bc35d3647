import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";

const GOVERNANCE = "/api/v1/ai-governance";

describe.skipIf(!CHROMIUM.path)(`findings over time and exemptions in a browser${CHROMIUM.note}`, () => {
  let world: LivingConsole;
  beforeAll(async () => {
    world = await livingConsole("express");
  });
  afterAll(() => world?.stop());
  const staff = () => world.estate.staff;

  it("draws open findings by day and severity, with the same as a table", async () => {
    await world.as("officer", async ({ page }) => {
      await page.goto("/console/findings");
      await page.getByRole("img", { name: "Open findings at the end of each day, by severity" }).waitFor();
      await page.getByLabel("Time").selectOption("30");
      await page.getByText("The same as a table").click();
      const days = page.getByRole("table", { name: "Open findings at the end of each day, by severity" });
      await expect.poll(() => days.getByRole("row").count()).toBe(31);
      expect(new URL(page.url()).searchParams.get("days")).toBe("30");
      await expectAccessible(page);
      const cells = await days.getByRole("row").last().getByRole("cell").allTextContents();
      const { items } = await staff().officer.do("GET", `${GOVERNANCE}/findings/by-day`);
      const { day, open } = items.at(-1);
      expect(cells.slice(0, 6)).toEqual([day, ...Object.values(open).reverse().map(String)]);
    });
  });

  it("has a finding exempted by two people, for a time, and ends it", async () => {
    const { items } = await staff().officer.do("GET", `${GOVERNANCE}/findings?status=open&size=100`);
    const finding = items.find(({ policyId }: { policyId: string | null }) => policyId !== null);
    const url = await world.as("operator", async ({ page }) => {
      await page.goto(`/console/findings/${finding.id}`);
      await page.getByRole("link", { name: "Ask for an exemption" }).click();
      await page.getByLabel("Why").fill("The supplier mends it with its next release.");
      await page.getByLabel("What guards against it meanwhile").fill("It runs in a network of its own.");
      await expectAccessible(page);
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.getByText("waits for a decision").waitFor();
      expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
      await expectAccessible(page);
      return page.url();
    });
    const read = async () => (await staff().officer.do("GET", `${GOVERNANCE}/findings/${finding.id}`)).status;
    await world.as("officer", async ({ page, keyboard }) => {
      await page.goto(url);
      await keyboard.activate("button", "Approve");
      await page.getByRole("dialog").waitFor();
      await expectAccessible(page);
      await keyboard.fill("textbox", "Reason", "The risk is known.");
      await keyboard.activate("button", "Approve");
      await page.getByRole("button", { name: "End it" }).waitFor();
      expect(await read()).toBe("exempted");
      await page.goto("/console/findings/exemptions?status=approved");
      await page.getByRole("link", { name: /^Exemption from/ }).waitFor();
      await expectAccessible(page);
      await page.goto(url);
      await page.getByRole("link", { name: "Renew" }).click();
      await page.getByText("It takes over what the earlier one took in").waitFor();
      expect(await page.getByLabel("What guards against it meanwhile").inputValue()).toBe(
        "It runs in a network of its own.",
      );
      await page.goBack();
      await page.getByRole("button", { name: "End it" }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("It is in use now.");
      await page.getByRole("dialog").getByRole("button", { name: "End it" }).click();
      await page.getByText("revoked", { exact: true }).waitFor();
    });
    expect(await read()).toBe("open");
  });

  it("is asked for from a policy, for one asset or for all that fit", async () => {
    const [policy] = (await staff().officer.do("GET", `${GOVERNANCE}/policies?status=active&kind=posture`)).items;
    await world.as(
      "officer",
      async ({ page }) => {
        await page.goto(`/console/policies/${policy.id}`);
        await page.getByRole("link", { name: "Ask for an exemption" }).click();
        await page.getByLabel("Search for the asset").fill("Night");
        await page.getByLabel("Asset", { exact: true }).selectOption({ label: "Night batch" });
        await page.getByLabel("All assets that fit").check();
        await page.getByLabel("prompt", { exact: true }).check();
        await page.getByLabel("Why").fill("Prompts are looked at by hand.");
        await expectAccessible(page);
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
        await page.getByRole("button", { name: "Ask", exact: true }).click();
        await page.getByText("waits for a decision").waitFor();
      },
      { width: "phone" },
    );
    const { items } = await staff().officer.do("GET", `${GOVERNANCE}/exemptions?policyId=${policy.id}`);
    expect(items[0].scope).toMatchObject({ policyKey: policy.key, selector: { assetTypes: ["prompt"] } });
  });
});
