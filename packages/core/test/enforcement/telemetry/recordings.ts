import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What a real client or library has sent, with what the model has counted that it spoke to. */
export interface Recording {
  readonly name: string;
  readonly versions: readonly string[];
  readonly counted: readonly { readonly model: string; readonly isStream: boolean; readonly isRefused: boolean }[];
  readonly exports: readonly Export[];
}

export interface Export {
  readonly path: string;
  readonly body?: object;
  readonly base64?: string;
}

const folder = fileURLToPath(new URL("./recorded/", import.meta.url));

/** `npx tsx scripts/telemetry/record.ts` makes them: a line of what the model has counted, and a line of each export. */
export const RECORDINGS: readonly Recording[] = readdirSync(folder)
  .sort()
  .map((file) => {
    const [first, ...exports] = readFileSync(folder + file, "utf8")
      .trimEnd()
      .split("\n");
    return {
      name: file.replace(/\.jsonl$/, ""),
      ...JSON.parse(first ?? ""),
      exports: exports.map((line) => JSON.parse(line)),
    };
  });

export function recordingOf(name: string): Recording {
  const found = RECORDINGS.find((one) => one.name === name);
  if (!found) throw new Error(`nothing is recorded as ${name}`);
  return found;
}
