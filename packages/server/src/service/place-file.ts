import { closeSync, linkSync, openSync, renameSync, rmSync } from "node:fs";
import { Failure } from "../failure.js";

/** What file systems without hard links say. */
const NO_LINKS = ["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "EXDEV"];

/**
 * Puts a finished file in place. Unlike a rename alone it replaces no file that somebody has made meanwhile. Throws a
 * `Failure` then.
 */
export function placeFile(part: string, to: string, link: (part: string, to: string) => void = linkSync): void {
  try {
    link(part, to);
    rmSync(part);
  } catch (error) {
    if (!NO_LINKS.includes(codeOf(error))) throw reported(error, to);
    reserve(to);
    renameSync(part, to);
  }
}

/** Makes the file, so that nobody else does. */
function reserve(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    throw reported(error, file);
  }
}

function reported(error: unknown, to: string): unknown {
  return codeOf(error) === "EEXIST" ? new Failure(`${to} is there already; move it away first`) : error;
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";
