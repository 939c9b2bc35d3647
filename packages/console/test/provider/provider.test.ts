import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteStore } from "@reeve/store-sqlite";
import { createPlane } from "@reeve/testkit";
import { CHROMIUM, expectAccessible, type Visitor } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";
import { servedConsole, signIn } from "../served-console.js";

const ADMIN = { username: "root@provider.example", password: "a long walk with the provider 1" };
const REASON = "The customer has asked for it.";

describe.skipIf(!CHROMIUM.path)(`the provider's day in a browser${CHROMIUM.note}`, () => {
  let world: LivingConsole;
  let token: string;
  beforeAll(async () => {
    world = await livingConsole("express");
    await world.controlPlane.ensureProviderAdmin(ADMIN);
    token = (await ask("POST", "/api/v1/auth/signin", ADMIN)).token;
  });
  afterAll(() => world?.stop());

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are read
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = {
      ...(body ? { "content-type": "application/json" } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    const answer = await fetch(`${world.origin}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return answer.json();
  };
  const asProvider = (steps: (visitor: Visitor) => Promise<void>) =>
    world.visit(async (visitor) => {
      visitor.expectStatus(401);
      await visitor.page.goto("/console");
      await signIn(visitor.page, { id: "", name: "", ...ADMIN });
      await steps(visitor);
    });
  /** Presses a button, gives a reason in its dialog, and confirms, all by keyboard. */
  const act = async ({ page, keyboard }: Visitor, button: string, confirm = button, reason = REASON) => {
    await keyboard.activate("button", button);
    const dialog = page.getByRole("dialog");
    if (reason) await keyboard.fill("textbox", "Reason", reason);
    await keyboard.activate("button", confirm);
    await dialog.waitFor({ state: "hidden" });
  };

  it("suspends a tenant and lets it in again, stops its assets, limits it, and disables somebody", async () => {
    const { tenantId } = world.estate;
    const { builder } = world.estate.staff;
    await asProvider(async (visitor) => {
      const { page, keyboard } = visitor;
      await page.waitForURL(/\/console\/provider/);
      await page.getByRole("table", { name: "Tenants, the newest first" }).waitFor();
      expect(await page.getByRole("navigation", { name: "Areas" }).getByRole("link").allTextContents()).not.toContain(
        "Estate",
      );
      await expectAccessible(page);
      await keyboard.activate("link", "Northwind Insurance");
      await page.getByRole("heading", { level: 1, name: "Northwind Insurance" }).waitFor();
      await page.getByRole("table", { name: "People of this tenant" }).waitFor();
      await expectAccessible(page);

      await act(visitor, "Suspend", "Suspend", "");
      await page.getByText("suspended", { exact: true }).waitFor();
      expect((await ask("GET", `/api/v1/support/orgs/${tenantId}`)).status).toBe("suspended");
      await act(visitor, "Reactivate");
      await page.getByText("active", { exact: true }).first().waitFor();

      await act(visitor, "Engage the kill switch");
      await page.getByText("The kill switch of this tenant is engaged.").waitFor();
      await expectAccessible(page);
      await act(visitor, "Release the kill switch");
      await page.getByRole("button", { name: "Engage the kill switch" }).waitFor();

      await keyboard.activate("button", "Grant");
      await keyboard.choose("Kind", "limit");
      await keyboard.fill("textbox", "What is granted", "assets");
      await keyboard.fill("textbox", "Value", "500");
      await keyboard.fill("textbox", "Reason", REASON);
      await expectAccessible(page);
      await keyboard.activate("button", "Grant");
      await page.getByRole("row", { name: /limit assets granted 500/ }).waitFor();

      await act(visitor, `Disable: ${builder.name}`, "Disable", "");
      await page.getByRole("button", { name: `Enable: ${builder.name}` }).waitFor();
    });
    const { items } = await ask("GET", `/api/v1/ai/activity/${tenantId}?size=100`);
    const acts = items.map(({ data }: { data: { operation?: string; to?: unknown } }) => data.operation);
    expect(new Set(acts)).toEqual(
      new Set(["support.setTenantStatus", "support.setKillSwitch", "support.setEntitlement", "support.setUserStatus"]),
    );
    const users = await ask("GET", `/api/v1/support/orgs/${tenantId}/users?size=100`);
    expect(users.items.find(({ id }: { id: string }) => id === builder.id).status).toBe("disabled");
  });

  it("engages a switch of the platform by keyboard alone, and changes a setting and takes it back", async () => {
    await asProvider(async (visitor) => {
      const { page, keyboard } = visitor;
      await page.goto("/console/provider/switches");
      await page.getByRole("table", { name: "Kill switches" }).waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", "Engage: connectors.outbound");
      await keyboard.fill("textbox", "Reason", REASON);
      await keyboard.activate("button", "Engage");
      await page.getByRole("button", { name: "Release: connectors.outbound" }).waitFor();
      const { items } = await ask("GET", "/api/v1/support/kill-switches");
      expect(items.find(({ id }: { id: string }) => id === "connectors.outbound")).toMatchObject({ status: "engaged" });
      await act(visitor, "Release: connectors.outbound", "Release");

      await keyboard.activate("link", "Settings");
      await page.getByRole("table", { name: "Settings" }).waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", /^Change: /);
      const dialog = page.getByRole("dialog");
      const key = (await dialog.getByRole("heading").textContent()) ?? "";
      await keyboard.fill("textbox", "Value", '"not of this setting');
      await keyboard.fill("textbox", "Reason", REASON);
      await keyboard.activate("button", "Change");
      await dialog.getByText("This is not JSON.").waitFor();
      await keyboard.activate("button", "Cancel");
      const before = await ask("GET", "/api/v1/support/config?size=100");
      const { value } = before.items.find(({ id }: { id: string }) => id === key);
      await keyboard.activate("button", `Change: ${key}`);
      await keyboard.fill("textbox", "Value", JSON.stringify(value));
      await keyboard.fill("textbox", "Reason", REASON);
      await keyboard.activate("button", "Change");
      await page.getByText("stored here").waitFor();
      await act(visitor, `Back to the default: ${key}`, "Back to the default");
      await page.getByText("stored here").waitFor({ state: "detached" });
    });
  });

  it("asks a question in SQL by keyboard alone, and is told in words what is refused", async () => {
    const folder = mkdtempSync(join(tmpdir(), "reeve-console-"));
    const store = createSqliteStore({ file: join(folder, "reeve.sqlite") });
    await store.migrate();
    const served = await servedConsole("express", async (config) =>
      createPlane({ ...config, store, sqlConsole: true }),
    );
    await served.plane.controlPlane.ensureProviderAdmin(ADMIN);
    try {
      await world.visit(
        async ({ page, keyboard, expectStatus }) => {
          expectStatus(400, 401);
          await page.goto("/console/provider/sql");
          await signIn(page, { id: "", name: "", ...ADMIN });
          await keyboard.fill("textbox", "Statement", "delete from users");
          await keyboard.fill("textbox", "Reason", REASON);
          await keyboard.activate("button", "Ask");
          await page.getByText("The statement was refused.").waitFor();
          await expectAccessible(page);
          await keyboard.fill(
            "textbox",
            "Statement",
            "select 7 as seven, '<b>x</b>' as text, null as hole, ? as given",
          );
          await keyboard.fill("textbox", "Values", '["of me"]');
          await keyboard.activate("button", "Ask");
          const answer = page.getByRole("table", { name: "Answer" });
          await answer.getByRole("row", { name: "7 <b>x</b> null of me" }).waitFor();
          await expectAccessible(page);
        },
        { origin: served.origin },
      );
    } finally {
      await served.close();
      await store.close();
      rmSync(folder, { recursive: true });
    }
  });

  it("is shown to nobody of a tenant", async () => {
    await world.as("owner", async ({ page, expectStatus }) => {
      expect(await page.getByRole("navigation", { name: "Areas" }).getByText("Provider").count()).toBe(0);
      expectStatus(403);
      await page.goto("/console/provider");
      await page.getByRole("alert").first().waitFor();
    });
  });
});
