import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { reeve } from "@reeve/adapter-express";
import { consolePages } from "@reeve/console";
import { type ControlPlane, createControlPlane } from "@reeve/core";
import { createSqliteStore } from "@reeve/store-sqlite";
import { type RunningChromium, startChromium } from "@reeve/testkit/browser";
import express from "express";
import { MASTER_KEY, PERSON, seedEstate } from "./estate.js";
import { Progress } from "./progress.js";
import { median } from "./stats.js";

const USAGE = `npm run bench -- console [options]
  --assets 10000    assets of the tenant, in SQLite
  --slower 4        how many times slower the browser's processor is made
  --rounds 5        views of which the median is told`;

interface Asked {
  readonly assets: number;
  readonly slower: number;
  readonly rounds: number;
}

/** Measures how soon pages are of use in a slowed browser, how smoothly a long list scrolls, and how soon a filter answers. */
export async function benchConsole(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      assets: { type: "string", default: "10000" },
      slower: { type: "string", default: "4" },
      rounds: { type: "string", default: "5" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${USAGE}\n`);
  const asked = { assets: Number(values.assets), slower: Number(values.slower), rounds: Number(values.rounds) };
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-console-"));
  const store = createSqliteStore({ file: join(folder, "reeve.sqlite") });
  let chromium: RunningChromium | undefined;
  try {
    await seedEstate(store, asked.assets, new Progress());
    const { origin, close } = await serve((baseUrl) =>
      createControlPlane({ store, masterKey: MASTER_KEY, baseUrl, console: consolePages(), rateLimits: "off" }),
    );
    chromium = await startChromium();
    process.stdout.write(await measured(chromium, origin, asked));
    await close();
  } finally {
    await chromium?.stop();
    rmSync(folder, { recursive: true });
  }
}

async function measured({ browser }: RunningChromium, origin: string, asked: Asked): Promise<string> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await page.goto("/console");
  await page.getByLabel("E-mail address").fill(PERSON.username);
  await page.getByLabel("Password").fill(PERSON.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Areas" }).waitFor();
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: asked.slower });
  const rounds = async (once: () => Promise<number>) => {
    const times: number[] = [];
    for (let round = 0; round < asked.rounds; round += 1) times.push(await once());
    return median(times);
  };
  const cold = () => devtools.send("Network.clearBrowserCache");
  const inbox = await rounds(async () => {
    await cold();
    return timed(async () => {
      await page.goto("/console/inbox");
      // It waits for nothing, or for something; either is of use.
      await page.locator("main table, main .empty").first().waitFor();
    });
  });
  const estate = await rounds(async () => {
    await cold();
    return timed(async () => {
      await page.goto("/console/estate");
      await page.locator("main tbody tr[data-index]").first().waitFor();
    });
  });
  const counted = page.locator("main p[role=status]").first();
  const choose = async (type: string) => {
    const before = await counted.textContent();
    return timed(async () => {
      await page.getByLabel("Type").selectOption(type);
      await counted.filter({ hasNotText: before ?? "" }).waitFor();
    });
  };
  const filter = await rounds(async () => {
    const ms = await choose("agent");
    await choose("");
    return ms;
  });
  const { frames, rows } = await page.evaluate<{ frames: number[]; rows: number }>(scrollThrough(asked.assets));
  const slow = frames.filter((frame) => frame > 50).length;
  await context.close();
  return `${asked.assets} assets in SQLite, the browser ${asked.slower} times slower, medians of ${asked.rounds}
| inbox of use after       | ${Math.round(inbox)} ms |
| list of assets after     | ${Math.round(estate)} ms |
| a filter shows after     | ${Math.round(filter)} ms |
| rows scrolled through    | ${rows} |
| frames, longest          | ${frames.length}, ${Math.round(Math.max(...frames))} ms |
| frames above 50 ms       | ${slow} (${((100 * slow) / frames.length).toFixed(1)} %) |
`;
}

/** Scrolls to the last row by a screen each frame, and tells how long each frame took. */
const scrollThrough = (rows: number) => `new Promise((resolve) => {
  const frames = [];
  let before = performance.now();
  let still = 0;
  const lastOf = () => Number([...document.querySelectorAll("tr[data-index]")].at(-1)?.dataset.index ?? 0) + 1;
  const step = (now) => {
    frames.push(now - before);
    before = now;
    const at = scrollY;
    scrollBy(0, innerHeight);
    still = scrollY === at ? still + 1 : 0;
    if (lastOf() >= ${rows} || still > 600) resolve({ frames: frames.slice(1), rows: lastOf() });
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function serve(make: (baseUrl: string) => ControlPlane) {
  const app = express();
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const controlPlane = make(origin);
  app.use(reeve(controlPlane));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await controlPlane.close();
  };
  return { origin, close };
}
