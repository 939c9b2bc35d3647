import { spawn } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];
const TIMEOUT_MS = 60_000;

/**
 * Prints a page of the disk as PDF with the Chromium of this machine. The browser asks no address. Returns why there is
 * no PDF, and `undefined` when there is one.
 */
export async function printPage(page: string, pdf: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const profile = await mkdtemp(join(tmpdir(), "reeve-print-"));
  try {
    for (const browser of BROWSERS) {
      const ended = await run(browser, [...optionsOf(profile), `--print-to-pdf=${pdf}`, pathToFileURL(page).href], env);
      if (ended === "ENOENT") continue;
      if (ended !== 0) return `${browser} ended with ${ended}`;
      const { size } = await stat(pdf).catch(() => ({ size: 0 }));
      return size > 0 ? undefined : `${browser} wrote none`;
    }
    return `none of ${BROWSERS.join(", ")} is installed`;
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 3 });
  }
}

// The policy of the page forbids scripts. Chromium 156 prints no page, and says nothing, where scripts are off in all of it.
const optionsOf = (profile: string) => [
  ...["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--no-default-browser-check"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions"],
  ...["--host-resolver-rules=MAP * ~NOTFOUND", "--no-pdf-header-footer"],
  // Chromium does not start as root with its sandbox.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  `--user-data-dir=${profile}`,
];

/** The exit code or the signal of a program, or the code of the error that kept it from starting. */
function run(
  program: string,
  args: readonly string[],
  { PATH, HOME, TMPDIR }: NodeJS.ProcessEnv,
): Promise<number | string> {
  // The browser gets no token.
  const env = { PATH, HOME, TMPDIR };
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: "ignore", timeout: TIMEOUT_MS, killSignal: "SIGKILL" });
    child.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    child.on("close", (code, signal) => resolve(code ?? signal ?? "no code"));
  });
}
