// Takes the pictures of the console that README and guides show, from a living estate in Debian's Chromium. Take them again when
// a page that they show has changed.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startChromium, visit } from "@reeve/testkit/browser";
import { livingPlane, type StaffName } from "@reeve/testkit/living-estate";
import { servedConsole, signIn } from "../packages/console/test/served-console.js";
import { root, say } from "./lib/workspace.mjs";

type Plane = Awaited<ReturnType<typeof livingPlane>>;

interface Picture {
  readonly name: string;
  readonly who: StaffName;
  readonly path: (plane: Plane) => string;
  readonly width?: "phone";
  readonly colorScheme?: "dark";
}

const PICTURES: readonly Picture[] = [
  { name: "inbox", who: "approver", path: () => "/inbox" },
  {
    name: "asset",
    who: "operator",
    path: ({ estate }) => `/estate/assets/${estate.assetIds.get("Night batch")}`,
  },
  {
    name: "mcp-server",
    who: "approver",
    path: ({ estate }) => `/estate/mcp-servers/${estate.recordIds.get("Payments")}`,
  },
  { name: "estate-graph", who: "operator", path: () => "/estate/graph?team=claims" },
  { name: "stop", who: "officer", path: () => "/stop", width: "phone" },
  { name: "compliance", who: "officer", path: () => "/compliance" },
  { name: "assignments", who: "officer", path: () => "/access/assignments" },
  { name: "findings", who: "officer", path: () => "/findings", colorScheme: "dark" },
];

const folder = join(root, "docs/pictures");
mkdirSync(folder, { recursive: true });
const [chromium, served] = await Promise.all([startChromium(), servedConsole("express", livingPlane)]);
try {
  for (const { name, who, path, width, colorScheme } of PICTURES) {
    const { origin, plane } = served;
    const options = { origin, ...(width ? { width } : {}), ...(colorScheme ? { colorScheme } : {}) };
    await visit(chromium.browser, options, async ({ page, expectStatus }) => {
      expectStatus(401, 404);
      await page.goto(`/console${path(plane)}`);
      await signIn(page, plane.estate.staff[who]);
      await page.getByRole("heading", { level: 1 }).waitFor();
      while ((await page.locator(".loading").count()) > 0)
        await page.locator(".loading").first().waitFor({ state: "detached" });
      writeFileSync(join(folder, `${name}.png`), await page.screenshot());
    });
    say(`docs/pictures/${name}.png`);
  }
} finally {
  await chromium.stop();
  await served.close();
}
