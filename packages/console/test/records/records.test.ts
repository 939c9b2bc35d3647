import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
  byKeyboard,
  CHROMIUM,
  expectAccessible,
  type RunningChromium,
  startChromium,
  visit,
} from "@reeve/testkit/browser";
import { livingPlane, type StaffName } from "@reeve/testkit/living-estate";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedConsole, servedConsole, signIn } from "../served-console.js";

const verifier = fileURLToPath(new URL("../../../verify-chain/src/verify-chain.mjs", import.meta.url));
/** What the stand-alone verifier says of a file. */
const verified = (file: string) =>
  JSON.parse(execFileSync(process.execPath, [verifier, "--json", "--quiet", file], { encoding: "utf8" }));

describe.skipIf(!CHROMIUM.path)(`findings, activity and certifications in a browser${CHROMIUM.note}`, () => {
  let chromium: RunningChromium;
  let served: ServedConsole<Awaited<ReturnType<typeof livingPlane>>>;
  beforeAll(async () => {
    [chromium, served] = await Promise.all([startChromium(), servedConsole("fastify", livingPlane)]);
  });
  afterAll(async () => {
    await chromium?.stop();
    await served?.close();
  });
  const staff = () => served.plane.estate.staff;
  const at = (who: StaffName, path: string, steps: (page: Page) => Promise<void>) =>
    visit(chromium.browser, { origin: served.origin }, async ({ page, expectStatus }) => {
      expectStatus(401);
      await page.goto(`/console${path}`);
      await signIn(page, staff()[who]);
      await steps(page);
    });

  it("shows findings by severity, narrows them down, and acknowledges one", async () => {
    await at("officer", "/findings", async (page) => {
      await page.getByRole("table", { name: "Findings by severity" }).waitFor();
      await expectAccessible(page);
      await page.getByLabel("State").selectOption("open");
      await page.waitForURL(/status=open/);
      const first = page.getByRole("table", { name: "Findings, the gravest first" }).getByRole("link").first();
      await first.click();
      await page.getByRole("heading", { name: "What people did" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Acknowledge" }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("We look into it.");
      await expectAccessible(page);
      await page.getByRole("dialog").getByRole("button", { name: "Acknowledge" }).click();
      await page.getByText("acknowledged", { exact: true }).waitFor();
      const id = new URL(page.url()).pathname.split("/").at(-1);
      expect((await staff().officer.do("GET", `/api/v1/ai-governance/findings/${id}`)).status).toBe("acknowledged");
    });
  });

  it("shows an auditor what happened to one agent, and that the record is whole", async () => {
    const id = served.plane.estate.assetIds.get("Night batch") as string;
    await at("auditor", `/activity?subject=${id}`, async (page) => {
      await page.getByRole("button", { name: "Night batch" }).first().waitFor();
      await expectAccessible(page);
      const own = await staff().auditor.do("GET", `/api/v1/ai/activity/${id}?size=100`);
      await expect
        .poll(() => page.getByRole("listitem").filter({ hasText: "in full" }).count())
        .toBe(Math.min(25, own.items.length));
      // Who did it stands there by name, as far as one may see names.
      await page.getByText(`by ${staff().officer.name}`).first().waitFor();
      await page.getByLabel("Words").fill("suspended");
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await page.waitForURL(/words=suspended/);
      const chosen = page.getByRole("group", { name: "Filters" });
      await chosen.getByText("Night batch", { exact: true }).waitFor();
      await chosen.getByRole("button", { name: "Remove the filter: Subject" }).click();
      await page.waitForURL((url) => !url.searchParams.has("subject"));
      await page.getByRole("link", { name: "Verify the record" }).click();
      await page.getByRole("button", { name: "Verify now" }).click();
      await page.getByText("The record is whole").waitFor();
      const chain = page.getByRole("region", { name: "The chain of events" });
      await chain.getByText("There is no gap.").waitFor();
      await chain.getByRole("img", { name: /^The chain of events/ }).waitFor();
      const { parts } = await staff().auditor.do("GET", "/api/v1/ai-governance/audit/timeline");
      expect(await chain.getByRole("row").count()).toBe(parts.length + 1);
      await expectAccessible(page);
    });
  });

  it("exports the month of one agent by keyboard alone, which the stand-alone verifier finds whole", async () => {
    const id = served.plane.estate.assetIds.get("Night batch") as string;
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    await at("auditor", `/activity?subject=${id}&from=${day(-30)}&to=${day(2)}`, async (page) => {
      const keyboard = byKeyboard(page);
      await keyboard.activate("link", "Export with its proof");
      await page.getByRole("heading", { name: "Export with its proof" }).waitFor();
      await keyboard.activate("button", "Export");
      await page.getByRole("status", { name: "The file is ready" }).waitFor();
      await expectAccessible(page);
      const [download] = await Promise.all([page.waitForEvent("download"), keyboard.activate("link", "Save the file")]);
      expect(download.suggestedFilename()).toBe(`events_${id}_${day(-30)}_${day(2)}.jsonl`);
      const report = verified(await download.path());
      const own = await staff().auditor.do("GET", `/api/v1/ai/activity/${id}?size=100`);
      expect(report).toMatchObject({
        valid: true,
        complete: true,
        slice: { events: own.items.length, erased: 0, covered: true },
      });
      await page.getByText(`${report.events}`, { exact: true }).first().waitFor();
    });
  });

  it("decides a certification: revokes one, and is told what must be looked at alone", async () => {
    const { items: campaigns } = await staff().approver.do("GET", "/api/v1/access-certifications");
    const itemsOf = async () =>
      (await staff().approver.do("GET", `/api/v1/access-certifications/${campaigns[0].id}/items`)).items;
    const asked = (await itemsOf()).flatMap(({ reviewers }: { reviewers: string[] }) => reviewers);
    const who = (Object.keys(staff()) as StaffName[]).find((name) => asked.includes(staff()[name].id)) as StaffName;
    await at(who, "/access", async (page) => {
      await page.getByRole("link", { name: "Access of agents, this quarter" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: "Access of agents, this quarter" }).click();
      await page.getByRole("table", { name: "Items of this certification" }).waitFor();
      await expectAccessible(page);
      const before = await page.getByRole("checkbox").count();
      expect(before).toBeGreaterThan(1);
      await page
        .getByRole("button", { name: /^Revoke: / })
        .first()
        .click();
      await page.getByRole("dialog").getByLabel("Reason").fill("It works on another repository now.");
      await expectAccessible(page);
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await expect.poll(() => page.getByRole("checkbox").count()).toBe(before - 1);
      // The system was not looked at lately, so that each is looked at alone; the server says the same.
      await page.getByRole("button", { name: "Choose 0 items that nothing speaks against" }).waitFor();
      await page.getByText("To be looked at alone: ", { exact: false }).first().waitFor();
      await page.getByRole("checkbox").first().check();
      await page.getByRole("button", { name: "Keep 1 item" }).click();
      await page.getByText("0 items kept; 1 item must be looked at alone:").waitFor();
    });
    expect((await itemsOf()).map(({ outcome }: { outcome: string }) => outcome)).toContain("revoke");
  });
});
