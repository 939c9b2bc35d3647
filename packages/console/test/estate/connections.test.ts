import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";

const KEY = "a first key of the registry";
const OTHER_KEY = "another key of the registry";

describe.skipIf(!CHROMIUM.path)(`setting up connections in a browser${CHROMIUM.note}`, () => {
  let living: LivingConsole;
  beforeAll(async () => {
    living = await livingConsole("express");
  });
  afterAll(() => living?.stop());

  const stored = async () => {
    const { items } = await living.estate.staff.operator.do("GET", "/api/v1/connector-instances?search=fraud&size=1");
    return items[0];
  };

  it("sets one up by the fields of its connector, with each fault at its field, and tests it", async () => {
    await living.as("operator", async ({ page, keyboard, expectStatus }) => {
      await page.goto("/console/estate/connections");
      await keyboard.activate("link", "Set up a connection");
      await page.getByLabel("Connector").selectOption("Scripted system");
      await page.getByText("Shows what a test tells it to show.").waitFor();
      await expectAccessible(page);
      await keyboard.fill("textbox", "Name", "Fraud models");
      await keyboard.fill("textbox", "account", "northwind-fraud");
      await page.getByLabel("region").selectOption("us");
      await keyboard.fill("textbox", "endpoint", "no address");
      await page.getByLabel("apiKey").fill("short");
      expectStatus(400);
      await keyboard.activate("button", "Save");
      const endpoint = page.getByLabel("endpoint");
      await page.locator('[aria-invalid="true"]').nth(1).waitFor();
      expect(await endpoint.getAttribute("aria-invalid")).toBe("true");
      expect(await page.getByLabel("apiKey").getAttribute("aria-invalid")).toBe("true");
      expect(await page.getByLabel("account").getAttribute("aria-invalid")).toBe("false");
      await expectAccessible(page);
      await endpoint.fill("");
      await page.getByLabel("apiKey").fill(KEY);
      await keyboard.activate("button", "Save");
      await page.getByRole("heading", { name: "Fraud models" }).waitFor();
      await page.getByText("apiKey: set").waitFor();
      await keyboard.activate("button", "Test now");
      await page.getByText("The key is accepted.", { exact: false }).first().waitFor();
      expect(await page.content()).not.toContain(KEY);
    });
    const connection = await stored();
    expect(connection).toMatchObject({
      ...{ name: "Fraud models", status: "active", providerKey: "scripted", governanceMode: "observe" },
      configuration: { account: "northwind-fraud", region: "us" },
    });
    expect(living.scripted.calls.at(-1)).toMatchObject({ account: "northwind-fraud", region: "us", apiKey: KEY });
  });

  it("changes it: what is emptied goes, a secret left empty stays, and another system is asked about", async () => {
    await living.as("operator", async ({ page, keyboard, expectStatus }) => {
      const { id } = await stored();
      await page.goto(`/console/estate/connections/${id}`);
      await keyboard.activate("link", "Change settings");
      expect(await page.getByLabel("account").inputValue()).toBe("northwind-fraud");
      expect(await page.getByLabel("apiKey").inputValue()).toBe("");
      await expectAccessible(page);
      await page.getByLabel("region").selectOption("as usual: eu");
      await page.getByLabel("signingKey").fill("signs what is sent");
      await keyboard.activate("button", "Save");
      await page.getByText("signingKey: set", { exact: false }).waitFor();

      expect((await stored()).configuration).toEqual({ account: "northwind-fraud" });
      expect(living.scripted.calls.at(-1)).toMatchObject({ region: "eu", apiKey: KEY });

      await keyboard.activate("link", "Change settings");
      await keyboard.fill("textbox", "account", "northwind-claims");
      await page.getByLabel("apiKey").fill(OTHER_KEY);
      expectStatus(409);
      await keyboard.activate("button", "Save");
      await page.getByText("northwind-claims", { exact: false }).first().waitFor();
      await page.getByLabel("It is meant to lead to another system", { exact: false }).check();
      await expectAccessible(page);
      await keyboard.activate("button", "Save");
      await page.getByText("northwind-claims", { exact: true }).waitFor();
      expect(await page.content()).not.toContain(OTHER_KEY);
    });
    const connection = await stored();
    expect(connection).toMatchObject({ configuration: { account: "northwind-claims" }, configurationVersion: 3 });
    expect(living.scripted.calls.at(-1)).toMatchObject({ account: "northwind-claims", apiKey: OTHER_KEY });
  });

  it("is not offered to those who may not", async () => {
    await living.as("auditor", async ({ page }) => {
      await page.goto("/console/estate/connections");
      await page.getByRole("table", { name: "Connections to systems" }).waitFor();
      expect(await page.getByRole("link", { name: "Set up a connection" }).count()).toBe(0);
    });
  });
});
