import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pinnedPnpm, root } from "./workspace.mjs";

/** The databases of a release, which later releases are tested to upgrade. */
const fixturesOf = (version: string) => [
  `packages/store-sqlite/test/fixtures/${version}.sqlite.gz`,
  `packages/store-postgres/test/fixtures/${version}.sql.gz`,
];

/** What keeps the sources from being released as they are, and how to mend it; empty when nothing does. */
export function missingForRelease(): string[] {
  const { version } = JSON.parse(readFileSync(join(root, "packages/core/package.json"), "utf8")) as { version: string };
  const pending = readdirSync(join(root, ".changeset")).filter((name) => name.endsWith(".md") && name !== "README.md");
  const changed = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }).trim();
  const { GITHUB_REF_TYPE: refType, GITHUB_REF_NAME: ref } = process.env;
  return [
    ...(pending.length > 0 ? [`${pending.length} changesets are pending: npm run version:packages`] : []),
    ...fixturesOf(version)
      .filter((file) => !existsSync(join(root, file)))
      .map((file) => `${file}: npm run fixtures:make -- ${version}`),
    ...(changed === "" ? [] : ["changes are not committed"]),
    ...(refType === "tag" && ref !== `v${version}` ? [`the tag is ${ref}, and the version ${version}`] : []),
  ];
}

/** Publishes what the registry does not have yet, in the order of dependencies. Throws when it is refused. */
export function publishAll(args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const publish = ["publish", "--access", "public", "--no-git-checks"];
  execFileSync("npx", ["--yes", pinnedPnpm(), "--recursive", ...publish, ...args], {
    cwd: root,
    env,
    stdio: "inherit",
  });
}
