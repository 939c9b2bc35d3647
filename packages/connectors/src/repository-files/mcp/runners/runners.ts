import type { Options } from "../options.js";
import { DOCKER_BEFORE, DOCKER_RUN, PODMAN_BEFORE, PODMAN_RUN } from "./containers.js";
import { BUNX, NPX, PNPM, YARN } from "./npm.js";
import { PIPX, UVX } from "./python.js";

/** How a command runs a package of a registry. */
export interface Runner {
  readonly registryType: "npm" | "pypi" | "oci";
  /** Options before the subcommand. */
  readonly before?: Options;
  /** Words that make it run a package, each with the options after it. None stands for the command itself. */
  readonly runs: readonly { readonly words: readonly string[]; readonly options: Options }[];
}

const NONE: Options = { flags: [], values: [] };

/** Each runner reads options of its own. A command or option that is not here is not known. */
export const RUNNERS: Readonly<Record<string, Runner>> = {
  npx: { registryType: "npm", runs: [{ words: [], options: NPX }] },
  npm: {
    registryType: "npm",
    before: { flags: ["-s", "--silent", "-q", "--quiet"], values: ["--loglevel"] },
    runs: [
      { words: ["exec"], options: NPX },
      { words: ["x"], options: NPX },
    ],
  },
  pnpm: { registryType: "npm", before: PNPM, runs: [{ words: ["dlx"], options: PNPM }] },
  pnpx: { registryType: "npm", runs: [{ words: [], options: PNPM }] },
  yarn: { registryType: "npm", runs: [{ words: ["dlx"], options: YARN }] },
  bunx: { registryType: "npm", runs: [{ words: [], options: BUNX }] },
  bun: { registryType: "npm", runs: [{ words: ["x"], options: BUNX }] },
  uvx: { registryType: "pypi", runs: [{ words: [], options: UVX }] },
  uv: { registryType: "pypi", before: UVX, runs: [{ words: ["tool", "run"], options: UVX }] },
  pipx: { registryType: "pypi", before: NONE, runs: [{ words: ["run"], options: PIPX }] },
  docker: {
    registryType: "oci",
    before: DOCKER_BEFORE,
    runs: [
      { words: ["run"], options: DOCKER_RUN },
      { words: ["container", "run"], options: DOCKER_RUN },
    ],
  },
  podman: {
    registryType: "oci",
    before: PODMAN_BEFORE,
    runs: [
      { words: ["run"], options: PODMAN_RUN },
      { words: ["container", "run"], options: PODMAN_RUN },
    ],
  },
};
