import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryFolder } from "@reeve/testkit/postgres";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** A folder for files that several test files share. It is deleted after the run. */
    temporaryFolder: string;
    /** Whether the run is one of `npm test`, which tries fewer of many variants than `--all`. */
    isQuick: boolean;
  }
}

export default function setup(project: TestProject) {
  const folder = mkdtempSync(join(memoryFolder() ?? tmpdir(), "reeve-tests-"));
  project.provide("temporaryFolder", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
