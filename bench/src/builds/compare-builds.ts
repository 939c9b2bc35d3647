import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { shuffled } from "../operations.js";
import type { Progress } from "../progress.js";
import { firstAsset, importOf, startOf } from "../start.js";
import { median } from "../stats.js";
import type { Taken } from "./works.js";

/** How far behind the best build a figure of this one may be. */
const SLACK = 1.1;
/** The checkout that this module is built in. */
const OWN = resolve(fileURLToPath(import.meta.url), "../../..");
const MAIN = fileURLToPath(new URL("./main.js", import.meta.url));

/**
 * Does the same works by this build and by built checkouts of others, in processes of their own and in turn. Says the medians
 * of the processor time, and the names of the works by which this build is more than a tenth behind the best one.
 */
export async function compareBuilds(
  others: readonly string[],
  rounds: number,
  progress: Progress,
): Promise<readonly string[]> {
  const builds = [OWN, ...others.map((path) => resolve(path))];
  const taken = builds.map((): Taken[] => []);
  for (let round = 1; round <= rounds; round++) {
    for (const build of shuffled(builds)) {
      progress.at(`round ${round} of ${rounds}: ${build}`);
      taken[builds.indexOf(build)]?.push(await takenBy(build));
    }
  }
  const works = Object.keys(taken[0]?.[0] ?? {});
  const behind: string[] = [];
  say(`processor time in µs, medians of ${rounds} rounds; ratios are of this build to the other`);
  say(`| Work | this build | ${others.map((path) => `${path} | ratio`).join(" | ")} |`);
  say(`| --- | ${builds.map(() => "---").join(" | ")}${" | ---".repeat(others.length)} |`);
  for (const work of works) {
    const [own = Number.NaN, ...figures] = taken.map((each) => median(each.map((one) => one[work] ?? Number.NaN)));
    const cells = figures.flatMap((figure) =>
      Number.isNaN(figure) ? ["", ""] : [figure.toFixed(0), (own / figure).toFixed(2)],
    );
    say(`| ${[work, own.toFixed(0), ...cells].join(" | ")} |`);
    if (figures.some((figure) => own > SLACK * figure)) behind.push(work);
  }
  return behind;
}

async function takenBy(build: string): Promise<Taken> {
  const entry = `${build}/packages/core/dist/index.js`;
  const starts = { "import of core": startOf(importOf(entry)).imported * 1_000, ...firstAssetBy(build, entry) };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, "work", build, String(build === OWN)], {
    maxBuffer: 2 ** 24,
  });
  const works = JSON.parse(stdout.trim().split("\n").at(-1) as string) as Taken;
  return { ...starts, ...works };
}

/** Builds of another age may be opened in another way. */
function firstAssetBy(build: string, entry: string): Taken {
  try {
    return { "start with a first asset": startOf(firstAsset(entry)).time * 1_000 };
  } catch (error) {
    if (build === OWN) throw error;
    return {};
  }
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
