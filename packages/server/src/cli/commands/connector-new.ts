import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { namesOf } from "../connector-skeleton/names.js";
import { projectFiles } from "../connector-skeleton/project.js";
import { sourceFiles } from "../connector-skeleton/sources.js";
import { testFiles } from "../connector-skeleton/tests.js";

/** Writes a connector that works, with its test, into a new folder of its name. */
export async function newConnector({ output }: Invocation, name: string): Promise<ExitCode> {
  const names = namesOf(name);
  if (!names) throw new Failure("the name of a connector has 2 to 50 lower-case letters, digits and single dashes");
  const folder = resolve(name);
  if (existsSync(folder)) throw new Failure(`${folder} is there already`);
  const files = { ...projectFiles(names), ...sourceFiles(names), ...testFiles(names) };
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  output.result({ folder, files: Object.keys(files) }, `${folder} is written; npm install and npm test come next`);
  return 0;
}
