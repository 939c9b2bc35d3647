import { CHROMIUM, expectAccessible } from "@reeve/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LivingConsole, livingConsole } from "../living-console.js";

const LINES = 1_200;
/** Lines with a type that there is not. The first line names the columns. */
const REFUSED = [17, 640, 1_199];

const row = (line: number) => {
  const type = REFUSED.includes(line) ? "spaceship" : line % 2 ? "model" : "MCP server";
  return `"Imported, ${line}";${type};cmdb;Production;CI-${line};grace@northwind.example`;
};
const TABLE = [
  "name;assetType;provider;environment;externalRef.id;owner",
  ...Array.from({ length: LINES }, (_, index) => row(index + 2)),
].join("\n");

const JSON_LINES = [
  JSON.stringify({ name: "One", assetType: "tool", provider: "lines", externalRef: { id: "L-1" } }),
  "{ no json",
  '{"name":"Three","assetType":"tool","provider":"lines","externalRef":{"id":"L-3"},"metadata":{"__proto__":{}}}',
  "[]",
  JSON.stringify({ name: "Five", assetType: "tool", provider: "lines", externalRef: { id: "L-5" } }),
].join("\n");

describe.skipIf(!CHROMIUM.path)(`the import of a file in a browser${CHROMIUM.note}`, () => {
  let living: LivingConsole;
  beforeAll(async () => {
    living = await livingConsole("fastify");
  });
  afterAll(() => living?.stop());

  const stored = async (provider: string) =>
    (await living.estate.staff.admin.do("GET", `/api/v1/ai-assets?provider=${provider}&size=100`)) as {
      readonly totalItems: number;
      readonly totalRelation: string;
      readonly items: readonly { readonly name: string; readonly environment: string; readonly assetType: string }[];
    };
  const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

  it(`tries ${LINES} lines, says which are refused, stores the others, and changes nothing when done again, by keyboard alone`, async () => {
    await living.as("admin", async ({ page, keyboard }) => {
      await keyboard.activate("link", "Estate");
      await keyboard.activate("link", "Import a file");
      await keyboard.chooseFiles("File", file("estate.csv", TABLE));
      await expectAccessible(page);
      await keyboard.activate("button", "Try it");
      await page.getByText("Tried. Nothing is stored yet.", { exact: false }).waitFor();
      expect((await stored("cmdb")).totalItems).toBe(0);
      const refused = page.getByRole("table", { name: "Refused lines" });
      for (const line of REFUSED) {
        const cells = refused.getByRole("row", { name: new Intl.NumberFormat("en").format(line) });
        expect(await cells.textContent()).toContain("/assetType");
      }
      await expectAccessible(page);

      // The second part waits, so that one can leave meanwhile.
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let sent = 0;
      await page.route("**/ai-assets/import", async (route) => {
        sent += 1;
        if (sent === 2) await held;
        await route.continue();
      });
      await keyboard.activate("button", "Import it");
      await page.getByText("500 of 1,200", { exact: true }).waitFor();
      expect(await page.evaluate('dispatchEvent(new Event("beforeunload", { cancelable: true }))')).toBe(false);
      await keyboard.activate("link", "Findings");
      const dialog = page.getByRole("dialog");
      await dialog.getByText("500 of 1,200 lines are done and stay.", { exact: false }).waitFor();
      await expectAccessible(page);
      await keyboard.activate("button", "Cancel");
      await keyboard.activate("button", "Stop");
      release();
      await page.getByText("1,000 of 1,200 lines are done and stay.", { exact: false }).first().waitFor();
      await keyboard.activate("button", "Go on");
      await page.getByText("Imported. Importing the same file again changes nothing.").waitFor();
      expect(await page.getByRole("definition").allTextContents()).toEqual(["1,197", "0", "0", "3"]);
      expect(await page.evaluate('dispatchEvent(new Event("beforeunload", { cancelable: true }))')).toBe(true);

      await keyboard.activate("button", "Import it again");
      await page.getByText("As before").locator("..").getByText("1,197").waitFor();
      await page.getByText("Imported. Importing the same file again changes nothing.").waitFor();
      expect(await page.getByRole("definition").allTextContents()).toEqual(["0", "0", "1,197", "3"]);
    });
    const { totalItems, totalRelation, items } = await stored("cmdb");
    expect([totalItems, totalRelation]).toEqual([LINES - REFUSED.length, "exact"]);
    expect(items.find(({ name }) => name === "Imported, 1200")).toMatchObject({
      ...{ environment: "production", assetType: "mcp_server" },
    });
  });

  it("takes the good lines of a request that a bad line spoils", async () => {
    await living.as("admin", async ({ page, keyboard, expectStatus }) => {
      await keyboard.activate("link", "Estate");
      await keyboard.activate("link", "Import a file");
      await keyboard.chooseFiles("File", file("some.csv", "name,provider\nOne,lines"));
      await page.getByText("No column is externalRef.id", { exact: false }).waitFor();
      await keyboard.chooseFiles("File", file("some.jsonl", JSON_LINES));
      expectStatus(400);
      await keyboard.activate("button", "Try it");
      await keyboard.activate("button", "Import it");
      await page.getByText("Imported.", { exact: false }).waitFor();
      const lines = await page.getByRole("table", { name: "Refused lines" }).locator("tbody tr").allTextContents();
      expect(lines.map((line) => line.slice(0, 12))).toEqual([
        ...[expect.stringMatching(/^2The line/), expect.stringMatching(/^3/), expect.stringMatching(/^4An item/)],
      ]);
    });
    expect((await stored("lines")).items.map(({ name }) => name).sort()).toEqual(["Five", "One"]);
  });
});
