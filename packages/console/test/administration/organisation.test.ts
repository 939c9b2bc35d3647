import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";

describe.skipIf(!CHROMIUM.path)(`administration in a browser${CHROMIUM.note}`, () => {
  let world: LivingConsole;
  beforeAll(async () => {
    world = await livingConsole("fastify");
  });
  afterAll(() => world?.stop());

  it("gives a machine a credential, shows its secret once, and revokes it", async () => {
    const { admin } = world.estate.staff;
    const { items } = await admin.do("GET", "/api/v1/ai/identities?status=active");
    const [machine] = items;
    const credentials = async () => (await admin.do("GET", `/api/v1/ai/identities/${machine.id}/credentials`)).items;
    const before = (await credentials()).length;
    await world.as("admin", async ({ page }) => {
      await page.goto("/console/administration");
      await page.getByRole("navigation", { name: "Parts of administration" }).getByText("Machines").click();
      await page.getByRole("table", { name: "Identities of machines" }).waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: machine.name, exact: true }).click();
      await page.getByRole("heading", { name: "Credentials" }).waitFor();
      await page.getByRole("button", { name: "Issue a credential" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Issue a credential" }).click();
      await page.getByText(/client_secret=reeve_cs_/).waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "I have kept it" }).click();
      await page.getByText(/client_secret=/).waitFor({ state: "detached" });
      expect(await credentials()).toHaveLength(before + 1);
      await page.getByRole("button", { name: "Revoke", exact: true }).first().click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await expect.poll(async () => (await credentials()).length).toBe(before);
    });
  });

  it("changes a setting, is told where the provider allows no looser one, and takes it back", async () => {
    const { admin } = world.estate.staff;
    await world.as("admin", async ({ page, expectStatus }) => {
      await page.goto("/console/administration/settings");
      await page.getByRole("row", { name: /Days to resolve a finding/ }).waitFor();
      await expectAccessible(page);
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "Change: Decisions by related people" }).click();
      await dialog.getByLabel("Value").selectOption("refuse");
      await dialog.getByLabel("Reason").fill("As the board decided.");
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Change", exact: true }).click();
      await page.getByRole("row", { name: /Decisions by related people.*refused/ }).waitFor();
      expect(await admin.do("GET", "/api/v1/tenant/settings")).toMatchObject({ relatedParty: "refuse" });
      expectStatus(400);
      await page.getByRole("button", { name: "Change: Days to resolve a finding" }).click();
      await dialog.getByLabel("Critical").fill("9999");
      await dialog.getByRole("button", { name: "Change", exact: true }).click();
      await dialog.getByRole("alert").waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Back to the default: Decisions by related people" }).click();
      await dialog.getByRole("button", { name: "Back to the default" }).click();
      await page.getByRole("row", { name: /Decisions by related people.*flagged/ }).waitFor();
    });
    expect(await admin.do("GET", "/api/v1/tenant/settings")).toMatchObject({ relatedParty: "flag" });
  });

  it("shows what the organisation is entitled to, claims a domain, and asks to erase what is known of somebody", async () => {
    const { owner, builder } = world.estate.staff;
    await world.as("owner", async ({ page }) => {
      await page.goto("/console/administration/organisation");
      await page.getByRole("heading", { name: "What the organisation is entitled to" }).waitFor();
      await page.getByRole("heading", { name: "Addresses" }).waitFor();
      await expectAccessible(page);
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "Claim a domain" }).click();
      await dialog.getByLabel("Own domain").fill("ai.example.com");
      await dialog.getByRole("button", { name: "Claim a domain" }).click();
      await page.getByText("TXT record to publish").waitFor();
      await page.getByRole("navigation", { name: "Parts of administration" }).getByText("Erasures").click();
      await page.getByText("No request fits").waitFor();
      await page.getByRole("button", { name: "Ask to erase" }).click();
      await dialog.getByLabel("Id of the subject").fill(builder.id);
      await dialog.getByLabel("Reason").fill("The person has asked for it.");
      await dialog.getByRole("button", { name: "Ask to erase" }).click();
      await page.getByRole("cell", { name: "waits for a second person" }).waitFor();
      await expectAccessible(page);
    });
    expect(await owner.do("GET", "/api/v1/tenant/domain")).toMatchObject({ alias: "ai.example.com" });
    const { items } = await owner.do("GET", "/api/v1/ai-governance/audit/erasures");
    expect(items).toMatchObject([{ subjectId: builder.id, status: "requested", requestedBy: owner.id }]);
  });
});
