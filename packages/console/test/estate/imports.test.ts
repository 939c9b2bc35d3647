import { CHROMIUM, expectAccessible, type Visitor } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";

const ASSETS = 5_000;
const ACCOUNT = "northwind-models";

describe.skipIf(!CHROMIUM.path)(`connections and imports in a browser${CHROMIUM.note}`, () => {
  let living: LivingConsole;
  let id: string;
  beforeAll(async () => {
    living = await livingConsole("fastify");
    const found = Array.from({ length: ASSETS }, (_, one) => ({
      externalId: `model-${one}`,
      assetType: "model" as const,
      name: `Model ${one}`,
    }));
    living.scripted.list(ACCOUNT, found);
    const connection = await living.estate.staff.admin.do("POST", "/api/v1/connector-instances", {
      ...{ name: "Model registry", providerKey: "scripted", configuration: { account: ACCOUNT }, status: "active" },
      secrets: { apiKey: "a key of the registry" },
    });
    id = connection.id;
  });
  afterAll(() => living?.stop());

  const importsOf = async () =>
    (await living.estate.staff.operator.do("GET", `/api/v1/integrations/${id}/imports`)).items;

  const toConnection = async ({ page, keyboard }: Visitor) => {
    await keyboard.activate("link", "Estate");
    await keyboard.activate("link", "Connections");
    await keyboard.activate("link", "Model registry");
    await page.getByRole("heading", { level: 1, name: "Model registry" }).waitFor();
  };
  const toImport = async (visitor: Visitor) => {
    await toConnection(visitor);
    await visitor.keyboard.activate("link", (await importsOf())[0].name);
  };

  it(`imports ${ASSETS} assets by plan, is left, and come back to, by keyboard alone`, async () => {
    await living.as("operator", async (visitor) => {
      const { page, keyboard } = visitor;
      await keyboard.activate("link", "Estate");
      await keyboard.activate("link", "Connections");
      await page.getByRole("table", { name: "Connections to systems" }).waitFor();
      await expectAccessible(page);
      await keyboard.activate("link", "Model registry");
      await keyboard.activate("button", "Test now");
      await page.getByText("The key is accepted.", { exact: false }).first().waitFor();
      expect(await page.locator("main").textContent()).toContain("apiKey: set");
      expect(await page.content()).not.toContain("a key of the registry");
      await expectAccessible(page);
      await keyboard.activate("button", "Plan an import");
      await page.getByText("waits to begin").or(page.getByText("reads the system")).waitFor();
    });
    while ((await importsOf())[0].status !== "awaiting_confirmation") await living.controlPlane.tick();

    await living.as("operator", async (visitor) => {
      const { page, keyboard } = visitor;
      await toImport(visitor);
      await page.getByRole("table", { name: "Lines of the plan" }).waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", "Confirm");
      const dialog = page.getByRole("dialog");
      await dialog.getByText("5,000 lines are carried out, with your rights.").waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", "Confirm");
      await page.getByText("being carried out").waitFor();
    });
    // Nobody has the page open while it goes on.
    for (let at = await importsOf(); at[0].done === 0 && at[0].status === "importing"; at = await importsOf())
      await living.controlPlane.tick();
    await living.as("operator", async (visitor) => {
      const { page } = visitor;
      await toImport(visitor);
      const { done } = (await importsOf())[0];
      await page.getByText(`${new Intl.NumberFormat("en").format(done)} of 5,000`).waitFor();
      await expectAccessible(page);
      while ((await importsOf())[0].status === "importing") await living.controlPlane.tick();
      await page.getByText("5,000 of 5,000").waitFor();
      await page.getByText("completed", { exact: true }).waitFor();
    });
    const [job] = await importsOf();
    expect(job).toMatchObject({ status: "completed", done: ASSETS, failed: 0, counts: { create: ASSETS } });
    const { totalItems, totalRelation } = await living.estate.staff.operator.do(
      "GET",
      "/api/v1/ai-assets?assetType=model&status=discovered&size=1",
    );
    expect(totalRelation === "exact" ? totalItems : ASSETS).toBeGreaterThanOrEqual(ASSETS);
  });
});
