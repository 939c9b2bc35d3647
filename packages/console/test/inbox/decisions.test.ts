import { CHROMIUM, expectAccessible, type RunningChromium, startChromium, visit } from "@reeve/testkit/browser";
import { livingPlane } from "@reeve/testkit/living-estate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Adapter, type ServedConsole, servedConsole, signIn } from "../served-console.js";

const ADAPTERS: readonly Adapter[] = ["express", "fastify"];

describe.skipIf(!CHROMIUM.path).each(ADAPTERS)(`decisions in a browser, on %s${CHROMIUM.note}`, (adapter) => {
  let chromium: RunningChromium;
  let served: ServedConsole<Awaited<ReturnType<typeof livingPlane>>>;
  beforeAll(async () => {
    [chromium, served] = await Promise.all([startChromium(), servedConsole(adapter, livingPlane)]);
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

  it("approves an asset, which the API and the chain tell", async () => {
    const { origin } = served;
    await visit(chromium.browser, { origin }, async ({ page, expectStatus }) => {
      expectStatus(401);
      await page.goto("/console");
      await page.getByRole("heading", { name: "Sign in to Reeve" }).waitFor();
      await expectAccessible(page);
      await signIn(page, staff().approver);
      await page.waitForURL(/\/console\/inbox/);
      await page.getByRole("table").waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: "Portal helper" }).click();
      await page.getByRole("heading", { level: 1, name: /Portal helper/ }).waitFor();
      await page.getByText("may decide").first().waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Approve", exact: true }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("Its purpose is clear.");
      await expectAccessible(page);
      expectStatus(404);
      await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
      await page.getByText("This is decided").waitFor();
      await page.getByText("You").waitFor();
    });
    expect(await stateOf("Portal helper")).toBe("approved");
    const id = served.plane.estate.assetIds.get("Portal helper");
    const { items } = await staff().officer.do("GET", `/api/v1/ai/activity/${id}`);
    expect(items[0]).toMatchObject({ authid: staff().approver.id, tostate: "approved" });
  });

  it("refuses one's own with the reason in words, and meets somebody quicker with grace", async () => {
    const { origin } = served;
    const { operator, second, officer } = staff();
    const id = served.plane.estate.assetIds.get("Fraud hints");
    await visit(chromium.browser, { origin }, async ({ page, expectStatus }) => {
      expectStatus(401);
      await page.goto("/console/inbox?whose=all");
      await signIn(page, officer);
      await page.getByRole("link", { name: "Fraud hints" }).click();
      await page.getByRole("button", { name: "Refuse" }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("It acts alone.");
      await second.do("PATCH", `/api/v1/ai-assets/${id}/governance-state`, { status: "approved", reason: "Agreed." });
      expectStatus(404, 409, 412);
      await page.getByText("This is decided").waitFor();
      await page.getByRole("strong").getByText("approved").waitFor();
      await page.getByText(second.name).first().waitFor();
    });
    expect(await stateOf("Fraud hints")).toBe("approved");
    expect(operator.name).not.toBe("");
  });
});
