import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "../../failure.js";
import type { ExitCode, Invocation } from "../command.js";
import { type CodeKind, type Framework, mountFile, nextSteps } from "../project/mount-file.js";

const FRAMEWORKS: readonly Framework[] = ["express", "fastify"];

interface Options {
  readonly framework?: string;
  readonly file?: string;
}

interface Manifest {
  readonly type?: string;
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

/** Adds Reeve to the project in this folder. It changes no file that is there, but for lines that it adds at an end. */
export async function init({ output }: Invocation, options: Options): Promise<ExitCode> {
  const manifest = manifestOf(resolve("package.json"));
  const framework = frameworkOf(manifest, options.framework);
  const usual = existsSync(resolve("tsconfig.json")) ? "reeve.ts" : "reeve.js";
  const file = options.file ?? usual;
  const kind = kindOf(file, manifest);
  if (existsSync(file)) throw new Failure(`${file} is there already; nothing was written`);
  mkdirSync(dirname(resolve(file)), { recursive: true });
  writeFileSync(file, mountFile(framework, kind), { flag: "wx" });
  const done = [
    `${file}: written, mounts Reeve at /governance`,
    addLines(".env", /^REEVE_MASTER_KEY=/m, () => [
      `REEVE_MASTER_KEY=${randomBytes(32).toString("base64")}`,
      "REEVE_BASE_URL=http://localhost:3000/governance",
    ]),
    addLines(".gitignore", /^[/]?[.]env$/m, () => [".env", "/data/"]),
  ];
  output.result(
    { framework, files: [file, ".env", ".gitignore"], done },
    [...done, ...nextSteps(framework, kind, file)].join("\n"),
  );
  return 0;
}

function manifestOf(file: string): Manifest {
  if (!existsSync(file)) throw new Failure(`there is no package.json in ${dirname(file)}; npm init makes one`);
  try {
    return Object(JSON.parse(readFileSync(file, "utf8"))) as Manifest;
  } catch {
    throw new Failure(`${file} is not valid JSON`);
  }
}

function frameworkOf({ dependencies = {}, devDependencies = {} }: Manifest, given: string | undefined): Framework {
  const found = FRAMEWORKS.filter((name) => name in dependencies || name in devDependencies);
  const named = given === undefined ? found : FRAMEWORKS.filter((name) => name === given);
  const [framework, another] = named;
  if (framework && !another) return framework;
  const other = "docs/guides/frameworks.md shows other frameworks";
  if (given !== undefined) throw new Failure(`--framework takes ${FRAMEWORKS.join(" or ")}; ${other}`);
  if (another) throw new Failure(`package.json names ${found.join(" and ")}; choose one by --framework`);
  throw new Failure(`package.json names neither ${FRAMEWORKS.join(" nor ")}; choose one by --framework. ${other}`);
}

function kindOf(file: string, { type }: Manifest): CodeKind {
  if (/[.]m?ts$/.test(file)) return "ts";
  if (/[.]mjs$/.test(file)) return "esm";
  if (/[.]cjs$/.test(file)) return "cjs";
  if (!file.endsWith(".js")) throw new Failure("--file takes a path that ends in .js, .mjs, .cjs or .ts");
  return type === "module" ? "esm" : "cjs";
}

/** Adds lines at the end of a file, for its owner alone where it is new, unless it has what `there` finds. */
function addLines(file: string, there: RegExp, lines: () => readonly string[]): string {
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  if (before !== undefined && there.test(before)) return `${file}: left as it is, it has them already`;
  const gap = before === undefined || before === "" || before.endsWith("\n") ? "" : "\n";
  const names = lines();
  appendFileSync(join(".", file), `${gap}${names.join("\n")}\n`, { mode: file === ".env" ? 0o600 : 0o644 });
  const what = names.map((line) => line.replace(/=.*/, "")).join(" and ");
  return `${file}: ${before === undefined ? "written" : "added to"}, with ${what}`;
}
