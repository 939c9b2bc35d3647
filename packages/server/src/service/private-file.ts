import { rm, writeFile } from "node:fs/promises";
import { Failure } from "../failure.js";

/** Makes an empty file for its owner alone, because what is to write it would let everybody read it. */
export async function makePrivateFile(file: string): Promise<void> {
  try {
    await rm(file, { force: true });
    await writeFile(file, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw new Failure(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
}
