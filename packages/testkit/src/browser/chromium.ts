import { type Browser, chromium } from "playwright-core";
import { program } from "../programs/index.js";

/** Debian's browser, for `describe.skipIf(!CHROMIUM.path)` and the name of a suite. */
export const CHROMIUM = program("chromium", "chromium");

/** A running browser. Each visit has cookies and storage of its own. */
export interface RunningChromium {
  readonly browser: Browser;
  stop(): Promise<void>;
}

/** Starts Chromium without a window. It asks no other address than those that pages ask. */
export async function startChromium(): Promise<RunningChromium> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM.path ?? "chromium",
    // A container has a small /dev/shm, and its root no sandbox.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
  });
  return { browser, stop: () => browser.close() };
}
