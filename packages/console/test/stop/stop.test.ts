import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";

describe.skipIf(!CHROMIUM.path)(`stopping in a browser${CHROMIUM.note}`, () => {
  let world: LivingConsole;
  beforeAll(async () => {
    world = await livingConsole("fastify");
  });
  afterAll(() => world?.stop());

  const effective = async (name: string) => {
    const at = `/api/v1/ai-assets/${world.estate.assetIds.get(name)}/effective`;
    return (await world.estate.staff.officer.do("GET", at)).reasons as string[];
  };

  it("halts the agents of a team by three touches at 360 pixels, and shows it", async () => {
    await world.as(
      "officer",
      async ({ page }) => {
        await page.goto("/console/inbox");
        const touch = async (role: "link" | "button", name: string) => {
          const control = page.getByRole(role, { name, exact: true }).last();
          await control.tap();
        };
        await touch("link", "Stop");
        await touch("button", "Halt: Claims");
        await touch("button", "Halt");
        const halted = page.getByRole("region", { name: "What is halted" });
        await halted.getByText("Team claims").waitFor();
        await halted.getByText(`halted by ${world.estate.staff.officer.name}`).waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
        await expectAccessible(page);
      },
      { width: "phone" },
    );
    expect(await effective("Claims letters")).toEqual([expect.stringMatching(/^halt:team:/)]);
  });

  it("lifts a halt by keyboard alone, with a reason", async () => {
    await world.as("admin", async ({ page, keyboard }) => {
      await page.goto("/console/stop");
      await page.getByRole("button", { name: "Lift: claims" }).waitFor();
      await keyboard.activate("button", "Lift: claims");
      await keyboard.fill("textbox", "Reason", "It was a test of the supplier's.");
      await keyboard.activate("button", "Lift");
      await page.getByText("Nothing is halted").waitFor();
    });
    expect(await effective("Claims letters")).not.toEqual([expect.stringMatching(/^halt/)]);
  });

  it("halts the agents of a team and has a second person lift that, by keyboard alone at 360 pixels", async () => {
    const { officer, admin } = world.estate.staff;
    const fits = async (page: Page) => {
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
      await expectAccessible(page);
    };
    await world.as(
      "officer",
      async ({ page, keyboard }) => {
        await keyboard.activate("link", "Stop");
        await keyboard.activate("button", "Halt: Claims");
        await keyboard.fill("textbox", "Reason", "Letters go to the wrong people.");
        await fits(page);
        await keyboard.activate("button", "Halt");
        const halted = page.getByRole("region", { name: "What is halted" });
        await halted.getByText("Team claims").waitFor();
        await halted.getByText(`halted by ${officer.name}`).waitFor();
        await fits(page);
      },
      { width: "phone" },
    );
    expect(await effective("Claims letters")).toEqual([expect.stringMatching(/^halt:team:/)]);
    await world.as(
      "admin",
      async ({ page, keyboard }) => {
        await keyboard.activate("link", "Stop");
        await keyboard.activate("button", "Lift: claims");
        await keyboard.fill("textbox", "Reason", "The addresses are mended.");
        await fits(page);
        await keyboard.activate("button", "Lift");
        await page.getByText("Nothing is halted").waitFor();
      },
      { width: "phone" },
    );
    expect(await effective("Claims letters")).not.toEqual([expect.stringMatching(/^halt/)]);
    const { items } = await officer.do("GET", "/api/v1/ai/halts?status=lifted&size=100");
    const halted = items.find(({ reason }: { reason: string }) => reason === "Letters go to the wrong people.");
    expect(halted).toMatchObject({ scope: "team", target: "claims" });
    const { items: events } = await admin.do("GET", `/api/v1/ai/activity/${halted.id}?size=100`);
    expect(events.map(({ authid }: { authid: string }) => authid)).toEqual([admin.id, officer.id]);
    expect(events[0]).toMatchObject({ tostate: "lifted" });
  });

  it("lifts a halt that a critical finding caused by two people and by keyboard alone", async () => {
    const { admin, officer } = world.estate.staff;
    const { items } = await officer.do("GET", "/api/v1/ai-governance/findings?severity=critical&status=open");
    const [finding] = items;
    const halt = { scope: "team", target: "service", reason: "A critical finding is open.", findingId: finding.id };
    const { id } = await officer.do("POST", "/api/v1/ai/halts", halt);
    const lift = (who: "admin" | "officer", then: string) =>
      world.as(who, async ({ page, keyboard }) => {
        await page.goto("/console/stop");
        await keyboard.activate("button", "Lift: service");
        await keyboard.fill("textbox", "Reason", "The finding is understood.");
        await keyboard.activate("button", "Lift");
        await page.getByText(then).waitFor();
        await expectAccessible(page);
      });
    await lift("admin", "Another person has to agree.");
    expect(await admin.do("GET", `/api/v1/ai/halts/${id}`)).toMatchObject({ status: "active" });
    await lift("officer", "Nothing is halted");
    const lifted = await admin.do("GET", `/api/v1/ai/activity/${id}?size=100`);
    expect(lifted.items[0]).toMatchObject({ tostate: "lifted", authid: officer.id });
  });

  it("terminates a session, and shows the confirmation of its gateway as it comes in", async () => {
    const { operator } = world.estate.staff;
    const purpose = "Finds exclusions for flood.";
    const session = async () => {
      const { items } = await operator.do("GET", "/api/v1/ai/sessions?size=100");
      return items.find((one: { purpose: string }) => one.purpose === purpose);
    };
    // A gateway that was silent for long is not asked.
    const { id } = await session();
    await operator.do("POST", `/api/v1/ai/sessions/${id}/heartbeat`, { pepId: "gateway-eu-1" });
    await world.as("operator", async ({ page, keyboard }) => {
      await page.goto("/console/stop");
      await page.getByText("Your role does not let you halt a team.").waitFor();
      await keyboard.activate("link", "Sessions");
      const running = page.getByRole("listitem").filter({ hasText: purpose });
      await running.getByRole("link", { name: "Broker assistant" }).waitFor();
      await keyboard.activate("button", `Terminate: ${purpose}`);
      await keyboard.fill("textbox", "Reason", "It answers somebody else's question.");
      await keyboard.activate("button", "Terminate");
      const stopped = page.getByRole("region", { name: "What was stopped, and who has confirmed it" });
      const row = stopped.getByRole("listitem").filter({ hasText: purpose });
      // On a slow machine the time that a gateway has may be over by now.
      await row.getByText("waiting for confirmation").or(row.getByText("not confirmed in time")).waitFor();
      // Who may see no names of others finds their own.
      await row.getByText(`terminated by ${operator.name}`).waitFor();
      await row.getByText("It answers somebody else's question.").waitFor();
      await row.getByText("gateway-eu-1 has not answered yet").waitFor();
      await expectAccessible(page);
      const { controlEpoch: epoch } = await session();
      const body = { pepId: "gateway-eu-1", epoch, outcome: "enforced" };
      await operator.do("POST", `/api/v1/ai/sessions/${id}/acknowledgements`, body);
      await row.waitFor({ state: "detached" });
    });
  });

  it.each([
    ["mcp_server", "Halt", "Document store"],
    ["model", "Suspend", "Larch 4 Small"],
  ])("stops what runs by %s, by keyboard alone", async (tab, act, name) => {
    await world.as("officer", async ({ page, keyboard }) => {
      await page.goto(`/console/stop?tab=${tab}`);
      await page.getByRole("button", { name: `${act}: ${name}` }).waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", `${act}: ${name}`);
      await keyboard.activate("button", act);
      await page.getByRole("dialog").waitFor({ state: "detached" });
    });
    const id = world.estate.assetIds.get(name);
    if (tab === "model") {
      const { governanceState } = await world.estate.staff.officer.do("GET", `/api/v1/ai-assets/${id}`);
      expect(governanceState).toBe("suspended");
    } else {
      const { items } = await world.estate.staff.officer.do("GET", "/api/v1/ai/halts?status=active");
      expect(items).toMatchObject([{ scope: "mcp_server" }]);
    }
  });

  it("says why an auditor finds no button", async () => {
    await world.as("auditor", async ({ page }) => {
      await page.goto("/console/stop");
      await page.getByText("Your role does not let you stop it.").waitFor();
      expect(await page.getByRole("button", { name: /^(?:Halt|Suspend|Terminate|Lift)/ }).count()).toBe(0);
      await expectAccessible(page);
    });
  });
});
