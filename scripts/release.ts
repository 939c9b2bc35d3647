// Checks and publishes all public packages, with a statement of where they were built. The release workflow runs it.
//
//   npm run release -- --dry-run       says what is missing for a release, checks, and shows what would be published
import { parseArgs } from "node:util";
import { check, script } from "./lib/checks.js";
import { missingForRelease, publishAll } from "./lib/publish.js";
import { say } from "./lib/workspace.mjs";

const { values } = parseArgs({ options: { "dry-run": { type: "boolean", default: false } } });
const isDry = values["dry-run"];

async function isReady(): Promise<boolean> {
  const missing = missingForRelease();
  for (const line of missing) say(`missing  ${line}`);
  if (missing.length > 0 && !isDry) return false;
  const checks = [await check("packed packages", script("test-packed.ts"))];
  checks.push(await check("package sizes", script("check-package.ts")));
  return checks.every(({ failed }) => failed === 0);
}

if (await isReady()) publishAll(["--provenance", ...(isDry ? ["--dry-run"] : [])]);
else process.exitCode = 1;
