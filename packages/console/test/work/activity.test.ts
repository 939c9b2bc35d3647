import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";
import { signIn } from "../served-console.js";
import { gate, inParts } from "./gate.js";

const verifier = fileURLToPath(new URL("../../../verify-chain/src/verify-chain.mjs", import.meta.url));
const EVENTS = 40;

/** How many works and parts the browser keeps for the console. */
const KEPT = `new Promise((resolve) => {
  const opening = indexedDB.open("reeve-work /");
  opening.onsuccess = () => {
    const reading = opening.result.transaction(["works", "parts"]);
    const counts = ["works", "parts"].map((name) => reading.objectStore(name).count());
    reading.oncomplete = () => { opening.result.close(); resolve(counts.map(({ result }) => result)); };
  };
})`;

const tray = (page: Page) => page.getByRole("region", { name: "At work" });
const goTo = (page: Page, area: string) =>
  page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name: area, exact: true }).click();
const afterOf = (url: string) => Number(new URL(url).searchParams.get("after") ?? 0);
const rises = (numbers: readonly number[]) =>
  numbers.every((number, at) => at === 0 || number >= (numbers[at - 1] ?? 0));

describe.skipIf(!CHROMIUM.path)(`verification and exports that are left${CHROMIUM.note}`, () => {
  let world: LivingConsole;
  beforeAll(async () => {
    world = await livingConsole("fastify");
  });
  afterAll(() => world?.stop());

  it("verifies on other pages, goes on after a reload where it was, and shows the result", async () => {
    await world.as("auditor", async ({ page, keyboard }) => {
      const asked = await gate(page, "**/audit/verification*", inParts(EVENTS));
      asked.holdFrom(3);
      await page.goto("/console/activity/verification");
      await keyboard.activate("button", "Verify now");
      await page.getByText(`Verifying, ${2 * EVENTS} events so far`).waitFor();
      await page.getByText("When you close the tab, it stops.").first().waitFor();
      await expectAccessible(page);

      await goTo(page, "Findings");
      await page.getByRole("heading", { level: 1, name: "Findings" }).waitFor();
      asked.release();
      asked.holdFrom(6);
      await tray(page)
        .getByText(`${5 * EVENTS} events`, { exact: true })
        .waitFor();
      await expectAccessible(page);

      await page.reload();
      await tray(page)
        .getByText(`${5 * EVENTS} events`, { exact: true })
        .waitFor();
      asked.release();
      await tray(page).getByText("done", { exact: true }).waitFor();
      await keyboard.activate("link", "Verification of the record");
      await page.getByText("The record is whole").waitFor();
      await page.getByRole("region", { name: "The chain of events" }).getByText("There is no gap.").waitFor();
      const afters = asked.requests.map((request) => afterOf(request.url()));
      expect(rises(afters), afters.join(" ")).toBe(true);
      const { checked } = await world.estate.staff.auditor.do("GET", "/api/v1/ai-governance/audit/verification");
      const said = await page.getByRole("definition").first().textContent();
      expect(Number(said?.replaceAll(",", ""))).toBeGreaterThan(checked - EVENTS);
      await expectAccessible(page);

      await page.reload();
      await page.getByText("The record is whole").waitFor();
      await keyboard.activate("button", "Put away: Verification of the record");
      await tray(page).waitFor({ state: "detached" });
    });
  });

  it("stops where one says so, and goes on from there", async () => {
    await world.as("auditor", async ({ page, keyboard }) => {
      const asked = await gate(page, "**/audit/verification*", inParts(EVENTS));
      asked.holdFrom(3);
      await page.goto("/console/activity/verification");
      await keyboard.activate("button", "Verify now");
      await page.getByText(`Verifying, ${2 * EVENTS} events so far`).waitFor();
      await keyboard.activate("button", "Stop");
      await page.getByText(/^Stopped\. Verifying/).waitFor();
      asked.release();
      await page.getByText(`Stopped. Verifying, ${3 * EVENTS} events so far`).waitFor();
      await expectAccessible(page);
      await page.reload();
      await keyboard.activate("button", "Go on");
      await page.getByText("The record is whole").waitFor();
      expect(rises(asked.requests.map((request) => afterOf(request.url())))).toBe(true);
    });
  });

  it("exports in another tab what a closed one has begun, and the file is whole", async () => {
    const { auditor } = world.estate.staff;
    await world.as("auditor", async ({ page, keyboard }) => {
      const other = await page.context().newPage();
      const gone = await gate(other, "**/audit/export*", inParts(EVENTS));
      await other.goto("/console/findings");
      await other.getByRole("heading", { level: 1, name: "Findings" }).waitFor();
      const begun = await gate(page, "**/audit/export*", inParts(EVENTS));
      begun.holdFrom(4);
      await page.goto("/console/activity/export");
      await keyboard.activate("button", "Export");
      await page.getByText(`Exporting, ${3 * EVENTS} events so far`).waitFor();
      await tray(other)
        .getByText(`${3 * EVENTS} events`, { exact: true })
        .waitFor();
      expect(gone.requests).toEqual([]);
      await page.close();
      await tray(other).getByText("done", { exact: true }).waitFor();
      expect(afterOf(gone.requests[0]?.url() ?? "")).toBe(3 * EVENTS);
      await tray(other).getByRole("link", { name: "Export of all events" }).click();
      const [download] = await Promise.all([
        other.waitForEvent("download"),
        other.getByRole("link", { name: "Save the file" }).click(),
      ]);
      const file = await download.path();
      const report = JSON.parse(
        execFileSync(process.execPath, [verifier, "--json", "--quiet", file], { encoding: "utf8" }),
      );
      expect(report).toMatchObject({ valid: true, complete: true });
      expect(report.events).toBeGreaterThan(4 * EVENTS);
      await other.reload();
      await other.getByRole("link", { name: "Save the file" }).waitFor();

      // It is gone from the browser with the person.
      expect(await other.evaluate(KEPT)).toEqual([1, begun.requests.length - 1 + gone.requests.length]);
      await other.getByRole("button", { name: "Sign out" }).click();
      await other.getByRole("heading", { name: "Sign in to Reeve" }).waitFor();
      expect(await other.evaluate(KEPT)).toEqual([0, 0]);
      await signIn(other, auditor);
      await expect.poll(() => other.getByRole("link", { name: "Save the file" }).count()).toBe(0);
    });
  });

  it("exports the events of a subject alone where that is asked for", async () => {
    await world.as("auditor", async ({ page, keyboard }) => {
      await page.goto("/console/activity/export?subject=ast_none");
      await page.getByLabel("Only the events of the subject").check();
      await page.getByText("Of other events the file holds hashes only.").waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", "Export");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Save the file" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("slice_ast_none.jsonl");
      const [first = ""] = readFileSync(await download.path(), "utf8").split("\n");
      expect(JSON.parse(first).slice).toMatchObject({ format: "reeve-slice/1", criteria: { subject: ["ast_none"] } });
    });
  });

  it("goes on for the same person after the session has ended, and is removed when somebody else signs in", async () => {
    await world.as("auditor", async ({ page, keyboard, expectStatus }) => {
      const asked = await gate(page, "**/audit/verification*", inParts(EVENTS));
      asked.holdFrom(3);
      await page.goto("/console/activity/verification");
      await keyboard.activate("button", "Verify now");
      await page.getByText(`Verifying, ${2 * EVENTS} events so far`).waitFor();
      expectStatus(401);
      await page.context().clearCookies();
      asked.release();
      await page.getByRole("heading", { name: "Sign in to Reeve" }).waitFor();
      asked.holdFrom(asked.requests.length + 1);
      await signIn(page, world.estate.staff.auditor);
      await tray(page)
        .getByText(`${2 * EVENTS} events`, { exact: true })
        .waitFor();
      await page.context().clearCookies();
      asked.release();
      await page.getByRole("heading", { name: "Sign in to Reeve" }).waitFor();
      await signIn(page, world.estate.staff.officer);
      await expect.poll(() => page.evaluate(KEPT)).toEqual([0, 0]);
      expect(await tray(page).count()).toBe(0);
    });
  });
});
