import { mkdirSync } from "node:fs";
import { resolve } from "node:path";

/** Makes a folder for its owner alone. Node would try for ever to make a relative one inside of a deleted one. */
export function makeFolder(path: string): void {
  mkdirSync(resolve(path), { recursive: true, mode: 0o700 });
}
