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

  /** A machine of an agent, with its credential. */
  const enrol = async (name: string, team?: string) => {
    const { admin } = world.estate.staff;
    const [agent] = (await admin.do("GET", "/api/v1/ai-assets?assetType=agent&sort=name")).items;
    const of = { agentId: agent.id, ...(team === undefined ? {} : { team }) };
    const { code } = await admin.do("POST", "/api/v1/ai/installation-codes", of);
    return (await post("/ai/installations/enrol", { code, client: "codex", name })).json;
  };

  it("says what is in force on a machine, since when, and which servers nobody published", async () => {
    const [machine] = [await enrol("laptop-7"), await enrol("laptop-8")];
    const servers = [{ name: "tickets", url: "https://tickets.example/mcp?key=k3y-of-tickets" }];
    const report = { digest: "a".repeat(64), files: 1, servers };
    expect((await post("/ai/installation/report", report, machine.credential)).status).toBe(200);
    await world.as("auditor", async ({ page }) => {
      await page.goto("/console/installations");
      await page
        .getByRole("row", { name: /laptop-8/ })
        .getByText("never reported")
        .waitFor();
      await page
        .getByRole("row", { name: /laptop-7/ })
        .getByText("something else")
        .waitFor();
      await page.getByRole("link", { name: "laptop-7" }).click();
      const row = page.getByRole("table", { name: "MCP servers that were not published" }).getByRole("row").nth(1);
      await row.getByText("tickets.example").waitFor();
      expect(await page.content()).not.toContain("k3y-of-tickets");
      await page.getByText("something else").waitFor();
      await page.getByText("of no publication").waitFor();
      await expectAccessible(page);
      await page.goto("/console/installations");
      await page.getByRole("link", { name: "laptop-8" }).click();
      await page.getByText("It has named no servers, so there may be some.").waitFor();
    });
  });

  it("sums up use and cost by group and day, and says of how many calls they are unknown", async () => {
    const { credential } = await enrol("gateway-1", "Payments");
    const value = (one: string | number) => (typeof one === "number" ? { intValue: one } : { stringValue: one });
    const span = (number: number, model: string, more: Record<string, number> = {}) => ({
      ...{ traceId: "a".repeat(32), spanId: number.toString(16).padStart(16, "0"), name: "chat" },
      startTimeUnixNano: String((Date.now() - 1_000) * 1e6),
      endTimeUnixNano: String(Date.now() * 1e6),
      attributes: Object.entries({
        ...{ "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.request.model": model },
        ...more,
      }).map(([key, one]) => ({ key, value: value(one) })),
    });
    const said = { "gen_ai.usage.input_tokens": 1_200, "gen_ai.usage.output_tokens": 34 };
    const spans = [span(1, "model-a", said), span(2, "model-a"), span(3, "model-b")];
    const sent = await post("/otlp/v1/traces", { resourceSpans: [{ scopeSpans: [{ spans }] }] }, credential);
    expect(sent).toEqual({ status: 200, json: {} });
    await world.as("auditor", async ({ page }) => {
      await page.goto("/console/installations");
      await page.getByRole("link", { name: "Use and cost" }).click();
      const table = page.getByRole("table", { name: "Use and cost by group" });
      const partly = table.getByRole("row", { name: /model-a/ });
      await partly.getByText("1,200, and unknown of 1 call").waitFor();
      await partly.getByText("unknown of 2 calls").waitFor();
      const unknown = table.getByRole("row", { name: /model-b/ });
      expect(await unknown.getByText("unknown of 1 call").count()).toBe(3);
      await page.getByRole("img", { name: "Reported calls of each day" }).waitFor();
      await expectAccessible(page);
      await page.getByLabel("By", { exact: true }).selectOption("team");
      await table.getByRole("row", { name: /Payments/ }).waitFor();
      await page.getByLabel("By", { exact: true }).selectOption("installation");
      await table.getByRole("link", { name: "gateway-1" }).waitFor();
      await page.getByLabel("By", { exact: true }).selectOption("team");
      await page.getByLabel("Time").selectOption("7");
      await page.getByLabel("Picture of").selectOption("cost");
      await page.getByRole("img", { name: "Reported cost of each day" }).waitFor();
      // Of the one day with calls no cost is known.
      expect(await page.locator("figure.chart > svg rect.series-unknown").count()).toBe(1);
      await page.getByText("The same as a table").click();
      await page.getByRole("table", { name: "Reported cost of each day" }).waitFor();
      expect(new URL(page.url()).search).toBe("?groupBy=team&days=7&figure=cost");
      await expectAccessible(page);
    });
  });

  it("has a second person approve a watch, shows what would be denied, and enforces what was seen", async () => {
    const { credential } = await enrol("laptop-3", "Claims");
    const call = (tool: string) => post("/hooks/codex", { hook_event_name: "PreToolUse", tool_name: tool }, credential);
    await world.as("operator", async ({ page, keyboard }) => {
      await page.goto("/console/installations/watches");
      await page.getByText("No watch fits").waitFor();
      await keyboard.activate("button", "Ask for a watch");
      await keyboard.fill("textbox", "Team", "Claims");
      await keyboard.fill("textbox", "Reason", "To see what would break there.");
      await expectAccessible(page);
      await keyboard.activate("button", "Ask for a watch");
      await page
        .getByRole("row", { name: /Watch of Claims/ })
        .getByText("waits for a second person")
        .waitFor();
      await page.getByRole("link", { name: "Watch of Claims" }).click();
      await page.getByText("No such call yet").waitFor();
      expect(await page.getByRole("button", { name: /Approve|Enforce/ }).count()).toBe(0);
    });
    await world.as("approver", async ({ page, keyboard }) => {
      await page.goto("/console/installations/watches");
      await page.getByRole("link", { name: "Watch of Claims" }).click();
      await keyboard.activate("button", "Approve");
      await keyboard.activate("button", "Approve");
      await page.getByText("only watched").waitFor();
      expect(await page.getByRole("button", { name: "Enforce" }).count()).toBe(0);
    });
    expect((await call("Bash")).json.hookSpecificOutput?.permissionDecision).not.toBe("deny");
    await world.as("operator", async ({ page, keyboard, expectStatus }) => {
      await page.goto("/console/installations/watches");
      await page.getByRole("link", { name: "Watch of Claims" }).click();
      const calls = page.getByRole("table", { name: "Calls that would have been denied or waited" });
      await calls.getByRole("row", { name: /Bash.*been denied/ }).waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", "Enforce");
      await page.getByText("You have seen 1 kind of calls: 1 call would have been denied").waitFor();
      await call("WebFetch");
      expectStatus(412);
      await keyboard.activate("button", "Enforce");
      await page.getByRole("alert").getByText("Somebody was quicker").waitFor();
      await calls.getByRole("row", { name: /WebFetch/ }).waitFor();
      await keyboard.activate("button", "Cancel");
      await keyboard.activate("button", "Enforce");
      await page.getByText("You have seen 2 kinds of calls").waitFor();
      await keyboard.activate("button", "Enforce");
      await page.getByText("enforced again").waitFor();
    });
    expect((await call("Bash")).json.hookSpecificOutput.permissionDecision).toBe("deny");
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
