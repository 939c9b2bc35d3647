import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";

describe.skipIf(!CHROMIUM.path)(`coding agents in a browser${CHROMIUM.note}`, () => {
  let world: LivingConsole;
  beforeAll(async () => {
    world = await livingConsole("fastify");
  });
  afterAll(() => world?.stop());

  /** Posts as whoever has a credential or a code, and no account. */
  const post = async (path: string, body: object, credential?: string) => {
    const headers = new Headers({ "content-type": "application/json" });
    if (credential !== undefined) headers.set("authorization", `Bearer ${credential}`);
    const answer = await fetch(`${world.origin}/api/v1${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return { status: answer.status, json: Object(await answer.json()) };
  };

  it("makes a code by keyboard alone, shows it once, and lists the machine that it enrols", async () => {
    const { admin } = world.estate.staff;
    const { items } = await admin.do("GET", "/api/v1/ai-assets?assetType=agent&sort=name");
    const [agent] = items;
    await world.as("admin", async ({ page, keyboard }) => {
      await page.goto("/console/installations/codes");
      await page.getByText("No code fits").waitFor();
      await keyboard.activate("button", "Make a code");
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("option", { name: agent.name, exact: true }).waitFor({ state: "attached" });
      await dialog.getByLabel("Agent").selectOption(agent.id);
      await dialog.getByLabel("Client").selectOption("codex");
      await keyboard.fill("textbox", "Team", "Payments");
      await expectAccessible(page);
      await keyboard.activate("button", "Make a code");
      const shown = await page.getByRole("status").locator("pre").textContent();
      const [command, code] = (shown as string).split("\n");
      expect(command).toBe(`reeve enroll ${world.origin}/ --client codex`);
      await expectAccessible(page);
      const enrolled = await post("/ai/installations/enrol", { code, client: "codex", name: "build-7" });
      expect(enrolled.status).toBe(201);
      await keyboard.activate("button", "I have kept it");
      expect(await page.content()).not.toContain(code);
      await page.getByRole("cell", { name: "used up" }).waitFor();
      await page.getByRole("navigation", { name: "Parts of coding agents" }).getByText("Installations").click();
      const row = page.getByRole("row", { name: /build-7/ });
      await row.getByText("Payments").waitFor();
      await row.getByText(agent.name).waitFor();
      await expectAccessible(page);
    });
  });

  it("shows the files of a machine's client, and cuts the machine off", async () => {
    const { admin } = world.estate.staff;
    const [agent] = (await admin.do("GET", "/api/v1/ai-assets?assetType=agent&sort=name")).items;
    const { code } = await admin.do("POST", "/api/v1/ai/installation-codes", { agentId: agent.id });
    const { json: machine } = await post("/ai/installations/enrol", { code, client: "codex", name: "laptop-9" });
    expect((await post("/ai/installation/publication", {}, machine.credential)).status).toBe(200);
    await world.as("admin", async ({ page, keyboard }) => {
      await page.goto("/console/installations");
      await page.getByRole("link", { name: "laptop-9" }).click();
      await page.getByRole("heading", { name: "laptop-9" }).waitFor();
      await page.getByText("Publication 1").waitFor();
      await page.getByText("The files", { exact: true }).click();
      await page.getByText("requirements.toml").waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", "Revoke");
      await keyboard.fill("textbox", "Reason", "The laptop was lost.");
      await keyboard.activate("button", "Revoke");
      await page.getByText("The laptop was lost.").waitFor();
      await page.getByRole("navigation", { name: "Parts of coding agents" }).getByText("Publications").click();
      await page.getByRole("row", { name: /1.*Codex/ }).waitFor();
      await expectAccessible(page);
    });
    const question = { hook_event_name: "PreToolUse", tool_name: "Bash" };
    expect((await post("/hooks/codex", question, machine.credential)).status).toBe(401);
  });

  it("lets an auditor look, and neither make codes nor revoke", async () => {
    await world.as("auditor", async ({ page }) => {
      await page.goto("/console/installations/codes");
      await page.getByRole("table", { name: "Enrolment codes" }).waitFor();
      expect(await page.getByRole("button", { name: "Make a code" }).count()).toBe(0);
      await page.goto("/console/installations");
      await page.getByRole("link", { name: "build-7" }).click();
      await page.getByRole("heading", { name: "build-7" }).waitFor();
      expect(await page.getByRole("button", { name: "Revoke" }).count()).toBe(0);
    });
  });
});
