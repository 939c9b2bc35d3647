import { spawnSync } from "node:child_process";
import type { KeyObject } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Checkpoint } from "../../src/index.js";

const command = fileURLToPath(new URL("../../../verify-chain/src/command.mjs", import.meta.url));

interface Kept {
  readonly checkpoints?: readonly Checkpoint[];
  readonly key?: KeyObject;
}

/** The report of the verifier command on an export, run as a separate process. */
export const verifyExport = (text: string, kept: Kept = {}): Record<string, unknown> => verified([], text, kept);

/** The same on a slice. */
export const verifySlice = (text: string, kept: Kept): Record<string, unknown> => verified(["slice"], text, kept);

function verified(verb: readonly string[], text: string, { checkpoints, key }: Kept): Record<string, unknown> {
  const folder = mkdtempSync(join(tmpdir(), "reeve-export-"));
  const put = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  try {
    const args = [
      ...(checkpoints ? ["--checkpoint", put("checkpoints.json", JSON.stringify(checkpoints))] : []),
      ...(key ? ["--key", put("key.pem", key.export({ type: "spki", format: "pem" }).toString())] : []),
    ];
    const run = spawnSync(process.execPath, [command, ...verb, "--json", ...args, put("export.jsonl", text)], {
      encoding: "utf8",
    });
    return JSON.parse(run.stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
