import { existsSync } from "node:fs";
import type { Checkpoint } from "@reeve/core";
import { Failure } from "../failure.js";
import { linesOf } from "./lines.js";

/** Throws a `Failure` when a file that was named is not there. */
export function checkThere(file: string | undefined): void {
  if (file !== undefined && !existsSync(file)) throw new Failure(`there is no file ${file}`);
}

/**
 * The checkpoints of a file, one at a time: on each line one as `anchor` gets it, or as the API lists it. Throws a
 * `Failure` that names the first line that is neither.
 */
export async function* checkpointsOf(file: string): AsyncGenerator<Checkpoint> {
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    if (line?.trim() === "") continue;
    const checkpoint = line === undefined ? undefined : checkpointIn(line);
    if (!checkpoint) throw new Failure(`${file}, line ${number}: no checkpoint of the form reeve-checkpoint/1`);
    yield checkpoint;
  }
}

function checkpointIn(line: string): Checkpoint | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const listed = Object(value).checkpoint ?? value;
  const { format, chainid, toSeq, headHash } = Object(listed);
  const fits = format === "reeve-checkpoint/1" && typeof chainid === "string" && typeof headHash === "string";
  return fits && Number.isSafeInteger(toSeq) && toSeq > 0 ? (listed as Checkpoint) : undefined;
}
