import { CHROMIUM, expectAccessible, type RunningChromium, startChromium, visit } from "@reeve/testkit/browser";
import { livingPlane } from "@reeve/testkit/living-estate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedConsole, servedConsole, signIn } from "../served-console.js";

describe.skipIf(!CHROMIUM.path)(`decisions in a browser${CHROMIUM.note}`, () => {
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
  const stateOf = async (name: string) => {
    const id = served.plane.estate.assetIds.get(name);
    return (await staff().officer.do("GET", `/api/v1/ai-assets/${id}`)).governanceState;
  };

  it("approves an asset by keyboard alone, which the API and the chain tell", async () => {
    const { origin } = served;
    await visit(chromium.browser, { origin }, async ({ page, keyboard, expectStatus }) => {
      expectStatus(401);
      await page.goto("/console");
      await page.getByRole("heading", { name: "Sign in to Reeve" }).waitFor();
      await expectAccessible(page);
      await signIn(page, staff().approver);
      await page.waitForURL(/\/console\/inbox/);
      await page.getByRole("table").waitFor();
      await expectAccessible(page);
      await keyboard.activate("link", "Portal helper");
      await page.getByRole("heading", { level: 1, name: /Portal helper/ }).waitFor();
      await page.getByText("may decide").first().waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", "Approve");
      await keyboard.fill("textbox", "Reason", "Its purpose is clear.");
      await expectAccessible(page);
      expectStatus(404);
      await keyboard.activate("button", "Approve");
      await page.getByText("This is decided").waitFor();
      await page.getByText("You").waitFor();
    });
    expect(await stateOf("Portal helper")).toBe("approved");
    const id = served.plane.estate.assetIds.get("Portal helper");
    const { items } = await staff().officer.do("GET", `/api/v1/ai/activity/${id}`);
    expect(items[0]).toMatchObject({ authid: staff().approver.id, tostate: "approved" });
  });

  it("opens with who asks and why, what is used by name, and what has changed since the last approval", async () => {
    const { operator, second } = staff();
    const at = `/api/v1/ai-assets/${served.plane.estate.assetIds.get("Call summary")}`;
    await operator.do("PUT", at, { purpose: "It sums up calls, and rates them." });
    if ((await operator.do("GET", at)).governanceState !== "under_review")
      await operator.do("PATCH", `${at}/governance-state`, { status: "under_review", reason: "It rates calls now." });
    await visit(chromium.browser, { origin: served.origin }, async ({ page, expectStatus }) => {
      expectStatus(401);
      await page.goto("/console/inbox?kind=asset_review");
      await signIn(page, second);
      await page.getByRole("link", { name: "Call summary" }).click();
      const opening = page.getByRole("region", { name: "In short" });
      for (const said of ["Katja Novak asks for this", "It rates calls now.", "uses Larch 4 Small (model)"])
        await opening.getByText(said).waitFor();
      await opening.getByText(/Last approved .* by Hedy Romano\. Changed since: .*Purpose/).waitFor();
      const changes = page.getByRole("region", { name: "What has changed" });
      await changes.getByRole("cell", { name: "It sums up calls, and rates them." }).waitFor();
      await expectAccessible(page);
      await changes.getByLabel("Since").selectOption({ label: "my last decision" });
      await changes.getByText("You have not decided about it before.").waitFor();
      await changes.getByLabel("Since").selectOption({ label: "I looked last" });
      await changes.getByText("You look at it for the first time.").waitFor();
      await page.reload();
      await changes.getByLabel("Since").selectOption({ label: "I looked last" });
      await changes.getByText("Nothing differs from then.").waitFor();
    });
  });

  it("shows a decision that somebody else may take, and says why it is not one's own", async () => {
    const { officer } = staff();
    const id = served.plane.estate.assetIds.get("Old summariser");
    await officer.do("PATCH", `/api/v1/ai-assets/${id}/governance-state`, { status: "under_review" });
    await visit(chromium.browser, { origin: served.origin }, async ({ page, keyboard, expectStatus }) => {
      expectStatus(401);
      await page.goto("/console/inbox?whose=all");
      await signIn(page, officer);
      await keyboard.activate("link", "Old summariser");
      await page.getByText(/You cannot decide this: .*is involved in it/).waitFor();
      expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    });
  });

  it("meets somebody quicker with grace: who, what, and the new state", async () => {
    const { second, officer } = staff();
    const id = served.plane.estate.assetIds.get("Fraud hints");
    await visit(chromium.browser, { origin: served.origin }, async ({ page, keyboard, expectStatus }) => {
      expectStatus(401);
      await page.goto("/console/inbox?whose=all");
      await signIn(page, officer);
      await keyboard.activate("link", "Fraud hints");
      await keyboard.activate("button", "Refuse");
      await keyboard.fill("textbox", "Reason", "It acts alone.");
      expectStatus(404, 409, 412);
      await second.do("PATCH", `/api/v1/ai-assets/${id}/governance-state`, { status: "approved", reason: "Agreed." });
      await page.getByText("This is decided").waitFor();
      await page.getByRole("strong").getByText("approved").waitFor();
      await page.getByText(second.name).first().waitFor();
    });
    expect(await stateOf("Fraud hints")).toBe("approved");
  });

  it("shows the whole of the action that an approval binds, and approves it by keyboard alone", async () => {
    const { approver } = staff();
    const { items } = await approver.do("GET", "/api/v1/ai-governance/approvals?status=requested");
    const [asked] = items;
    await visit(chromium.browser, { origin: served.origin }, async ({ page, keyboard, expectStatus }) => {
      expectStatus(401);
      await page.goto("/console/inbox?kind=action_approval");
      await page.getByLabel("E-mail address").waitFor();
      await keyboard.fill("textbox", "E-mail address", approver.username);
      await keyboard.fill("textbox", "Password", approver.password);
      await keyboard.press("Enter");
      await keyboard.activate("link", asked.name);
      const bound = page.getByRole("region", { name: "What you decide about" });
      for (const value of [
        asked.actionDigest,
        asked.action.name,
        asked.subject.id,
        asked.resource.id,
        asked.requestedBy,
      ])
        await bound.getByText(value, { exact: true }).first().waitFor();
      // Reeve keeps no values that nobody lists; the page says which these are.
      expect(asked.hidden.sort()).toEqual(["action.properties.amount", "action.properties.number"]);
      for (const path of asked.hidden) await bound.getByText(path, { exact: true }).first().waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", "Approve");
      await keyboard.fill("textbox", "Reason", "The payment is known.");
      expectStatus(404);
      await keyboard.activate("button", "Approve");
      await page.getByText("This is decided").waitFor();
    });
    const { status, decidedBy } = await approver.do("GET", `/api/v1/ai-governance/approvals/${asked.id}`);
    expect({ status, decidedBy }).toEqual({ status: "approved", decidedBy: approver.id });
  });

  it("hands on, asks back, and approves several that nothing speaks against", async () => {
    const { approver, second, operator } = staff();
    const names = ["Larch 4 Small", "Heron Embeddings", "Quill Code"];
    for (const name of names) {
      const id = served.plane.estate.assetIds.get(name);
      await operator.do("PATCH", `/api/v1/ai-assets/${id}/governance-state`, { status: "under_review" });
    }
    const [commented = "", ...free] = names;
    await visit(chromium.browser, { origin: served.origin }, async ({ page, expectStatus }) => {
      expectStatus(401);
      await page.goto("/console/inbox?kind=asset_review");
      await signIn(page, approver);
      await page.getByRole("link", { name: commented }).click();
      await page.getByLabel("Ask back or comment").fill("Which data does it see?");
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("Which data does it see?").first().waitFor();
      await page.goBack();
      for (const name of names) await page.getByLabel(`Choose ${name}`).check();
      await page.getByRole("button", { name: "Approve 3 chosen" }).click();
      const dialog = page.getByRole("dialog", { name: "Approve 2 together" });
      await dialog.getByText("Somebody has commented on it").waitFor();
      await expectAccessible(page);
      await dialog.getByLabel("Reason").fill("They are as before.");
      await dialog.getByRole("button", { name: "Approve all of these" }).click();
      await dialog.waitFor({ state: "hidden" });
      await page.getByRole("link", { name: commented }).click();
      await page.getByLabel("To", { exact: true }).selectOption({ label: second.name });
      await page.getByRole("button", { name: "Hand on" }).click();
      await page.getByRole("region", { name: "Facts" }).getByText(second.name).waitFor();
    });
    expect(await Promise.all(free.map(stateOf))).toEqual(free.map(() => "approved"));
    expect(await stateOf(commented)).toBe("under_review");
  });

  it("shows what comes to wait by itself, without a reload", async () => {
    const { approver, operator } = staff();
    const id = served.plane.estate.assetIds.get("Damage photo classifier");
    await visit(chromium.browser, { origin: served.origin }, async ({ page, expectStatus }) => {
      expectStatus(401);
      const follows = page.waitForRequest((request) => request.url().includes("wait=25"));
      await page.goto("/console/inbox?kind=asset_review");
      await signIn(page, approver);
      await page.getByRole("table").waitFor();
      await follows;
      await operator.do("PATCH", `/api/v1/ai-assets/${id}/governance-state`, { status: "under_review" });
      await page.getByRole("link", { name: "Damage photo classifier" }).waitFor({ timeout: 30_000 });
    });
  });
});

describe.skipIf(!CHROMIUM.path)(`a host that refuses what a page cannot show${CHROMIUM.note}`, () => {
  it("has no button that approves it, and the reason in its place", async () => {
    const chromium = await startChromium();
    const served = await servedConsole("express", livingPlane, { refuseHidden: true });
    try {
      await visit(chromium.browser, { origin: served.origin }, async ({ page, expectStatus }) => {
        expectStatus(401);
        await page.goto("/console/inbox?kind=action_approval");
        await signIn(page, served.plane.estate.staff.approver);
        await page.getByRole("link", { name: /release_payment/ }).click();
        await page.getByText("it binds values that the page cannot show").waitFor();
        expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
      });
    } finally {
      await chromium.stop();
      await served.close();
    }
  });
});
