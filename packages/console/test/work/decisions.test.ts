import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";
import { type Gate, gate } from "./gate.js";

const NAMES = ["Heron Embeddings", "Larch 4 Small", "Quill Code", "Tone of voice"];

const tray = (page: Page) => page.getByRole("region", { name: "At work" });
const goTo = (page: Page, area: string) =>
  page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name: area, exact: true }).click();

describe.skipIf(!CHROMIUM.path)(`decisions and back-tests that are left${CHROMIUM.note}`, () => {
  let world: LivingConsole;
  beforeAll(async () => {
    world = await livingConsole("express");
  });
  afterAll(() => world?.stop());
  const staff = () => world.estate.staff;

  /** The names of assets in a list of decisions, or `undefined` where there is no such list. */
  const named = async (page: Page, title: string) => {
    const list = page.locator("main").getByRole("region", { name: title, exact: true });
    return (await list.count()) === 0 ? undefined : list.getByRole("link").allTextContents();
  };
  const idsOf = (asked: Gate) => asked.requests.map((request) => new URL(request.url()).pathname.split("/").at(-2));

  it("says which of several decisions were taken when the page was left, goes on when asked, and decides none twice", async () => {
    const { approver, operator } = staff();
    const begun = new Date().toISOString();
    for (const name of NAMES) {
      const at = `/api/v1/ai-assets/${world.estate.assetIds.get(name)}`;
      if ((await operator.do("GET", at)).governanceState === "under_review") continue;
      await operator.do("PATCH", `${at}/governance-state`, { status: "under_review" });
    }
    const quicker = await world.as("approver", async ({ page, keyboard, expectStatus }) => {
      // Of the second decision the answer is lost, and the third one is never sent.
      const asked = await gate(page, "**/governance-state", async (route, number) => {
        if (number !== 2) return route.continue();
        await route.fetch();
        asked.holdFrom(1);
        lost();
      });
      let lost = () => {};
      const isLost = new Promise<void>((resolve) => {
        lost = resolve;
      });
      await page.goto("/console/inbox?kind=asset_review");
      for (const name of NAMES) await keyboard.toggle("checkbox", `Choose ${name}`);
      await keyboard.activate("button", "Approve 4 chosen");
      const dialog = page.getByRole("dialog", { name: "Approve 4 together" });
      await dialog.getByText("you see which were decided").waitFor();
      await keyboard.fill("textbox", "Reason", "They are as before.");
      await keyboard.activate("button", "Approve all of these");
      await dialog.waitFor({ state: "hidden" });
      await goTo(page, "Estate");
      await tray(page).getByText("1 of 4 approved", { exact: true }).waitFor();
      await isLost;
      await expectAccessible(page);

      await page.reload();
      await tray(page).getByText("2 of 4 approved", { exact: true }).waitFor();
      await tray(page).getByText("stopped", { exact: true }).waitFor();
      await keyboard.activate("link", "Approve 4 together");
      await page.getByRole("heading", { level: 1, name: "Approve 4 together" }).waitFor();
      const decided = (await named(page, "Approved")) ?? [];
      const waits = (await named(page, "Not sent yet")) ?? [];
      expect([decided.length, waits.length]).toEqual([2, 2]);
      expect([...decided, ...waits].sort()).toEqual(NAMES);
      await expectAccessible(page);
      const [gone = "", left = ""] = waits;

      // The next one is held before it reaches the server, and the page is left again.
      const before = asked.requests.length;
      await keyboard.activate("button", "Go on");
      await expect.poll(() => asked.requests.length).toBe(before + 1);
      await page.reload();
      await page.getByText("Stopped. 2 of 4 approved").waitFor();
      expect(await named(page, "Not sent yet")).toEqual([gone, left]);
      // Somebody else decides one meanwhile.
      const at = `/api/v1/ai-assets/${world.estate.assetIds.get(left)}/governance-state`;
      await staff().second.do("PATCH", at, { status: "approved", reason: "Quicker." });
      asked.release();
      expectStatus(412);
      await keyboard.activate("button", "Go on");
      await page.getByRole("status").getByText("3 of 4 approved, 1 not").first().waitFor();
      expect(await named(page, "Approved")).toEqual([...decided, gone]);
      expect(await named(page, "Not approved")).toEqual([left]);
      await page.getByText("Somebody was quicker").waitFor();
      await expectAccessible(page);
      // Each went out with one key, however often it went out.
      const keys = new Map(asked.requests.map((request) => [request.headers()["idempotency-key"], request.url()]));
      expect(keys.size).toBe(new Set(idsOf(asked)).size);
      return left;
    });
    for (const name of NAMES) {
      const { items } = await staff().officer.do(
        "GET",
        `/api/v1/ai/activity/${world.estate.assetIds.get(name)}?actor=${approver.id}&from=${begun}&size=100`,
      );
      const approvals = items.filter(({ tostate }: { tostate?: string }) => tostate === "approved");
      expect(approvals.length, name).toBe(name === quicker ? 0 : 1);
    }
  });

  it("goes on with a back-test on other pages, and keeps its result when the page is loaded anew", async () => {
    const { items } = await staff().officer.do("GET", "/api/v1/ai-governance/policies?status=active&kind=posture");
    const [{ id, name }] = items;
    await world.as("officer", async ({ page, keyboard }) => {
      const asked = await gate(page, "**/back-test");
      asked.holdFrom(1);
      await page.goto(`/console/policies/${id}?tab=backTest`);
      await keyboard.choose("How far back", "7 days");
      await keyboard.activate("button", "Run the back-test");
      await page.getByText("it is asked for anew when you are back").first().waitFor();
      await goTo(page, "Findings");
      await page.getByRole("heading", { level: 1, name: "Findings" }).waitFor();
      asked.release();
      await tray(page).getByText("done", { exact: true }).waitFor();
      await keyboard.activate("link", `Back-test of ${name}`);
      await page.getByRole("heading", { name: "Assets that failed" }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Assets that failed" }).waitFor();
      expect(asked.requests.length).toBe(1);
      await expectAccessible(page);

      // Loaded anew while it runs, it is asked for once more.
      asked.holdFrom(2);
      await keyboard.choose("How far back", "30 days");
      await keyboard.activate("button", "Run the back-test");
      await expect.poll(() => asked.requests.length).toBe(2);
      await page.reload();
      await expect.poll(() => asked.requests.length).toBe(3);
      asked.release();
      await page.getByRole("heading", { name: "Assets that failed" }).waitFor();
      expect(asked.requests.map((request) => request.postDataJSON().days)).toEqual([7, 30, 30]);

      // What is put away stays away, until one asks for it.
      for (const _ of [1, 2]) await keyboard.activate("button", `Put away: Back-test of ${name}`);
      await tray(page).waitFor({ state: "detached" });
      expect(asked.requests.length).toBe(3);
    });
  });
});
