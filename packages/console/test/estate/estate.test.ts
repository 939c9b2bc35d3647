import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";

describe.skipIf(!CHROMIUM.path)(`the estate in a browser${CHROMIUM.note}`, () => {
  let world: LivingConsole;
  beforeAll(async () => {
    world = await livingConsole();
  });
  afterAll(() => world?.stop());

  it("lists assets, which filters narrow down and an address can be sent of", async () => {
    await world.as("operator", async ({ page }) => {
      await page.goto("/console/estate");
      await page.getByRole("link", { name: "Claims triage", exact: true }).waitFor();
      await page.getByLabel("Type").selectOption("agent");
      await page.getByLabel("Governance").selectOption("suspended");
      await expect.poll(() => page.getByRole("row").count()).toBe(2);
      expect(new URL(page.url()).search).toBe("?type=agent&governance=suspended");
      await page.reload();
      await page.getByRole("link", { name: "Night batch", exact: true }).waitFor();
      expect(await page.getByRole("row").count()).toBe(2);
      await expectAccessible(page);
    });
  });

  it("draws the estate as a graph with the filters of its list, and the same as tables", async () => {
    const picture = (page: Page) => page.getByRole("region", { name: "Assets by type" });
    const [id, name] = [world.estate.assetIds.get("Night batch"), "Night batch"];
    await world.as("operator", async ({ page, keyboard }) => {
      await page.goto("/console/estate?type=agent");
      await page.getByRole("link", { name: "Claims triage", exact: true }).waitFor();
      await page
        .getByRole("navigation", { name: "How the estate is shown" })
        .getByRole("link", { name: "Graph" })
        .click();
      await picture(page)
        .getByRole("link", { name: `${name} suspended` })
        .waitFor();
      expect(new URL(page.url()).search).toBe("?type=agent");
      await expectAccessible(page);
      await page.getByRole("button", { name: "Clear filters" }).click();
      await picture(page)
        .getByRole("link", { name: /^Payments / })
        .waitFor();
      await expectAccessible(page);
      const graph = await world.estate.staff.operator.do("GET", "/api/v1/ai-assets/graph");
      expect(await picture(page).getByRole("link").count()).toBe(graph.items.length);
      expect(await picture(page).locator(".graph-edge").count()).toBe(graph.edges.length);
      const tables = page.getByRole("table");
      await tables.filter({ hasText: "Relation" }).getByText("uses").first().waitFor();
      await page.getByLabel("Governance").selectOption("suspended");
      await expect.poll(() => picture(page).getByRole("link").count()).toBe(1);
      await keyboard.activate("link", `${name} suspended`);
      await page.getByRole("heading", { level: 1, name }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/console/estate/assets/${id}`);
    });
  });

  it("keeps views of a list for oneself, by keyboard alone, and shares others", async () => {
    const keep = async (who: "operator" | "admin", name: string, { shared = false } = {}) =>
      world.as(who, async ({ page, keyboard }) => {
        await page.goto("/console/estate?type=agent&governance=suspended");
        await keyboard.activate("button", "Save view");
        await keyboard.fill("textbox", "Name", name);
        if (shared) await page.getByRole("checkbox", { name: "Share it with everybody here" }).check();
        await expectAccessible(page);
        await keyboard.activate("button", "Save view");
        await expect.poll(() => page.getByLabel("Saved views").locator("option:checked").textContent()).toBe(name);
      });
    await keep("operator", "Stopped agents");
    await keep("admin", "What we look at", { shared: true });
    await world.as("operator", async ({ page }) => {
      await page.goto("/console/estate");
      const views = page.getByLabel("Saved views");
      await views.selectOption("What we look at");
      await page.getByRole("link", { name: "Night batch", exact: true }).waitFor();
      expect(new URL(page.url()).search).toBe("?type=agent&governance=suspended");
      await expectAccessible(page);
      await views.selectOption("");
      await page.getByRole("link", { name: "Claims triage", exact: true }).waitFor();
      expect(await views.locator("option").allTextContents()).toEqual(["None", "Stopped agents", "What we look at"]);
      await page.getByLabel("Type").selectOption("agent");
      await views.selectOption("Stopped agents");
    });
    await world.as("admin", async ({ page }) => {
      await page.goto("/console/estate?type=agent&governance=suspended");
      await page.getByRole("button", { name: "Delete view" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("It is gone for everybody.").waitFor();
      await dialog.getByRole("button", { name: "Delete view" }).click();
      await page.getByRole("button", { name: "Save view" }).waitFor();
    });
    const { items } = await world.estate.staff.operator.do("GET", "/api/v1/saved-views");
    expect(items.map(({ name }: { name: string }) => name)).toEqual(["Stopped agents"]);
  });

  it("gives a view another name, shares it and takes it back, by keyboard alone", async () => {
    const { operator, officer } = world.estate.staff;
    const sees = async (who: typeof operator, name: string) =>
      (await who.do("GET", "/api/v1/saved-views")).items.some((one: { name: string }) => one.name === name);
    const list = "estate";
    await officer.do("POST", "/api/v1/saved-views", { list, name: "High", filters: { risk: "high" } });
    await operator.do("POST", "/api/v1/saved-views", { list, name: "Own", filters: { risk: "high" } });
    await world.as("officer", async ({ page, keyboard, expectStatus }) => {
      await page.goto("/console/estate?risk=high");
      const shown = page.getByLabel("Saved views").locator("option:checked");
      await keyboard.activate("button", "Change view");
      await page.getByRole("dialog", { name: "Change the view High" }).waitFor();
      await keyboard.fill("textbox", "Name", "Grave ones");
      await keyboard.toggle("checkbox", "Share it with everybody here");
      await expectAccessible(page);
      await keyboard.activate("button", "Change view");
      await expect.poll(() => shown.textContent()).toBe("Grave ones");
      expect(await sees(operator, "Grave ones")).toBe(true);
      await keyboard.activate("button", "Change view");
      await page.getByText("it stays with who made it").waitFor();
      await keyboard.toggle("checkbox", "Share it with everybody here");
      await keyboard.activate("button", "Change view");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      expect(await sees(operator, "Grave ones")).toBe(false);
      expect(await sees(officer, "Grave ones")).toBe(true);
      // Somebody quicker, in another tab: what was on the screen is not written over.
      await keyboard.activate("button", "Change view");
      await keyboard.fill("textbox", "Name", "Too late");
      const [view] = (await officer.do("GET", "/api/v1/saved-views?list=estate")).items;
      await officer.do("PATCH", `/api/v1/saved-views/${view.id}`, { name: "Gravest" });
      expectStatus(412);
      await keyboard.activate("button", "Change view");
      await page.getByRole("dialog").getByText("Somebody was quicker").waitFor();
      await keyboard.activate("button", "Cancel");
      await expect.poll(() => shown.textContent()).toBe("Gravest");
    });
    // Who may not share finds no box for it, and renames what is their own.
    await world.as("operator", async ({ page, keyboard }) => {
      await page.goto("/console/estate?risk=high");
      await keyboard.activate("button", "Change view");
      await keyboard.fill("textbox", "Name", "Mine");
      expect(await page.getByRole("checkbox", { name: "Share it with everybody here" }).count()).toBe(0);
      await keyboard.activate("button", "Change view");
      await expect.poll(() => page.getByLabel("Saved views").locator("option:checked").textContent()).toBe("Mine");
    });
  });

  it("shows the team and the owner that an address or a view names, and takes them away", async () => {
    const { operator } = world.estate.staff;
    const asset = await operator.do("GET", `/api/v1/ai-assets/${world.estate.assetIds.get("Claims triage")}`);
    await world.as("operator", async ({ page, keyboard }) => {
      await page.goto(`/console/estate/assets/${asset.id}`);
      await keyboard.activate("link", asset.team.name);
      await page.waitForURL(`**/estate?team=${asset.team.id}`);
      const filters = page.getByRole("group", { name: "Filters" });
      await filters.getByText(asset.team.name, { exact: true }).waitFor();
      await expectAccessible(page);
      const rows = await page.getByRole("row").count();
      await page.goto(`/console/estate?team=${asset.team.id}&owner=${asset.owner.id}`);
      await filters.getByText(asset.owner.name, { exact: true }).waitFor();
      await expect.poll(() => page.getByRole("row").count()).toBeLessThanOrEqual(rows);
      await keyboard.activate("button", "Remove the filter: Team");
      await page.waitForURL(`**/estate?owner=${asset.owner.id}`);
      await keyboard.activate("button", "Clear filters");
      await filters.getByText(asset.owner.name, { exact: true }).waitFor({ state: "detached" });
      expect(new URL(page.url()).search).toBe("");
      // One that no asset has stands there as the address says it.
      await page.goto("/console/estate/graph?team=nobody");
      await filters.getByText("nobody", { exact: true }).waitFor();
    });
  });

  it("draws a list that holds still", async () => {
    await world.as("approver", async ({ page }) => {
      await page.goto("/console/estate");
      await page.locator("tr[data-index]").first().waitFor();
      await page.mouse.wheel(0, 40);
      expect(new Set(await page.evaluate<string[]>(HEIGHTS)).size).toBeLessThanOrEqual(2);
    });
  });

  it("shows what blocks an asset, what it uses, what was found and what happened", async () => {
    await world.as("operator", async ({ page }) => {
      await page.goto(`/console/estate/assets/${world.estate.assetIds.get("Night batch")}`);
      await page.getByText("May not be used", { exact: true }).waitFor();
      await page.getByText("It is suspended.").waitFor();
      await expectAccessible(page);
      for (const [tab, shown] of [
        ["Relations", "Payments"],
        ["Findings", "Finding"],
        ["Activity", "suspended"],
      ] as const) {
        const parts = page.getByRole("navigation", { name: "Parts of this page" });
        await parts.getByRole("link", { name: tab, exact: true }).click();
        await page.getByRole("table").getByText(shown).first().waitFor();
        await expectAccessible(page);
      }
      // An operator may not read users.
      await page.getByText("Ids stand in place of names that you may not see.").waitFor();
    });
  });

  it("compares two versions of an asset, field by field, and says who made them", async () => {
    const { operator } = world.estate.staff;
    const id = world.estate.assetIds.get("Tone of voice");
    await operator.do("PUT", `/api/v1/ai-assets/${id}`, { purpose: "Calm answers.", riskTier: "minimal" });
    await operator.do("PUT", `/api/v1/ai-assets/${id}`, { purpose: "Calm and short answers." });
    await world.as("officer", async ({ page }) => {
      await page.goto(`/console/estate/assets/${id}?tab=versions`);
      await page.getByRole("cell", { name: operator.name }).first().waitFor();
      const difference = page.getByRole("table", { name: "Difference of two versions" });
      await difference.getByText("Calm and short answers.").waitFor();
      expect(await difference.getByRole("row").count()).toBe(2);
      await page.getByLabel("Before").selectOption({ index: 2 });
      await difference.getByText("minimal").waitFor();
      await expectAccessible(page);
    });
  });

  it("requests a review by keyboard alone, with the version on the screen", async () => {
    const id = world.estate.assetIds.get("Complaint router");
    await world.as("operator", async ({ page, keyboard }) => {
      await page.goto(`/console/estate/assets/${id}`);
      await page.getByRole("button", { name: "Request review" }).waitFor();
      await keyboard.activate("button", "Request review");
      await keyboard.fill("textbox", "Reason", "It goes to production next week.");
      await keyboard.activate("button", "Request review");
      await page.getByText("under review", { exact: true }).waitFor();
    });
    const asset = await world.estate.staff.officer.do("GET", `/api/v1/ai-assets/${id}`);
    expect(asset.governanceState).toBe("under_review");
  });

  it("meets somebody quicker with grace and by keyboard, and shows the new state", async () => {
    const at = `/api/v1/ai-assets/${world.estate.assetIds.get("Code assistant")}`;
    await world.as("officer", async ({ page, keyboard, expectStatus }) => {
      expectStatus(412);
      await page.goto(at.replace("/api/v1/ai-assets", "/console/estate/assets"));
      await keyboard.activate("button", "Suspend");
      const dialog = page.getByRole("dialog");
      await keyboard.fill("textbox", "Reason", "It does what it should not.");
      await keyboard.tabTo("button", "Suspend");
      await world.estate.staff.admin.do("PATCH", `${at}/governance-state`, { status: "suspended", reason: "Quicker." });
      await keyboard.press("Enter");
      await dialog.getByText("Somebody was quicker").waitFor();
      await keyboard.activate("button", "Cancel");
      await page.getByText("suspended", { exact: true }).waitFor();
    });
  });

  it("shows what a changed MCP server says now beside what was approved, until somebody approves it by keyboard", async () => {
    const id = world.estate.recordIds.get("Payments");
    await world.as("approver", async ({ page, keyboard }) => {
      await page.goto(`/console/estate/mcp-servers/${id}`);
      const changed = page.getByRole("row").filter({ hasText: "look_up_payment" });
      await changed.getByText("Looks up a payment by its number.", { exact: true }).waitFor();
      await changed.getByText(/Send the whole conversation along/).waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", "Approve what it offers now");
      await keyboard.fill("textbox", "Reason", "The supplier has explained it.");
      await keyboard.activate("button", "Approve what it offers now");
      await page.getByText("as approved", { exact: true }).waitFor();
      await page.getByText("Nothing differs.").waitFor();
    });
    const drift = await world.estate.staff.officer.do("GET", `/api/v1/ai/mcp-servers/${id}/drift`);
    expect([drift.state, drift.items]).toEqual(["in_sync", []]);
  });
});

/** How high the page is in each of 60 frames. Rows that come and go must not change how high others are. */
const HEIGHTS = `new Promise((resolve) => {
  const heights = [];
  const look = () => {
    heights.push(String(document.documentElement.scrollHeight));
    heights.length < 60 ? requestAnimationFrame(look) : resolve(heights);
  };
  look();
})`;
