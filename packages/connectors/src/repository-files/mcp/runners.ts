import type { Options } from "./options.js";

/** How a command runs a package of a registry. */
export interface Runner {
  readonly registryType: "npm" | "pypi" | "oci";
  /** Options before the subcommand. */
  readonly before?: Options;
  /** Words that make it run a package, each with the options after it. None stands for the command itself. */
  readonly runs: readonly { readonly words: readonly string[]; readonly options: Options }[];
}

const NONE: Options = { flags: [], values: [] };

const NPX: Options = {
  flags: [
    "-y",
    "--yes",
    "-n",
    "--no",
    "--no-install",
    "--ignore-existing",
    "-q",
    "--quiet",
    "-s",
    "--silent",
    "-d",
    "--verbose",
  ].concat(["--prefer-online", "--prefer-offline", "--offline", "--include-workspace-root", "--no-audit", "--no-fund"]),
  values: ["-w", "--workspace", "--cache", "--loglevel", "--node-options", "--script-shell"],
  packages: ["-p", "--package"],
  other: ["-c", "--call", "--registry", "--userconfig", "--prefix", "-C"],
};

const PNPM_BEFORE: Options = {
  flags: ["-s", "--silent", "--color", "--no-color", "--offline", "--prefer-offline"],
  values: ["-C", "--dir", "--reporter", "--loglevel", "--allow-build"],
  packages: ["--package"],
  other: ["-c", "--shell-mode", "--registry", "-r", "--recursive", "-F", "--filter"],
};

const BUNX: Options = {
  flags: ["--bun", "-b", "--silent", "--verbose", "--no-install"],
  values: [],
  packages: ["-p", "--package"],
};

const UVX: Options = {
  flags: [
    "-n",
    "--no-cache",
    "--isolated",
    "-U",
    "--upgrade",
    "--reinstall",
    "--refresh",
    "--no-build",
    "--no-binary",
    "--no-sources",
  ].concat(
    [
      "--no-build-isolation",
      "--compile-bytecode",
      "--managed-python",
      "--no-managed-python",
      "--no-python-downloads",
      "--allow-python-downloads",
    ],
    [
      "--offline",
      "--native-tls",
      "--no-progress",
      "--no-config",
      "--no-env-file",
      "--strict",
      "--lfs",
      "-q",
      "--quiet",
      "-v",
      "--verbose",
    ],
  ),
  values: [
    "-w",
    "--with",
    "--with-editable",
    "--with-requirements",
    "-c",
    "--constraints",
    "-b",
    "--build-constraints",
    "--overrides",
  ].concat(
    [
      "-p",
      "--python",
      "--python-platform",
      "--python-preference",
      "--env-file",
      "-P",
      "--upgrade-package",
      "--reinstall-package",
    ],
    [
      "--refresh-package",
      "--index-strategy",
      "--keyring-provider",
      "--resolution",
      "--prerelease",
      "--fork-strategy",
      "--exclude-newer",
    ],
    [
      "--exclude-newer-package",
      "--link-mode",
      "-C",
      "--config-setting",
      "--no-build-package",
      "--no-binary-package",
      "--torch-backend",
    ],
    ["--cache-dir", "--color", "--allow-insecure-host", "--directory", "--project", "--config-file"],
  ),
  packages: ["--from"],
  other: ["--index", "--default-index", "-i", "--index-url", "--extra-index-url", "-f", "--find-links", "--no-index"],
};

const PIPX: Options = {
  flags: [
    "--no-cache",
    "--pypackages",
    "--system-site-packages",
    "-q",
    "--quiet",
    "-v",
    "--verbose",
    "--fetch-missing-python",
  ],
  values: ["--python", "--with", "--backend"],
  packages: ["--spec"],
  other: ["--path", "-i", "--index-url", "--pip-args"],
};

const DOCKER_BEFORE: Options = {
  flags: ["-D", "--debug", "--tls", "--tlsverify"],
  values: ["--config", "-c", "--context", "-H", "--host", "-l", "--log-level", "--tlscacert", "--tlscert", "--tlskey"],
};

/** As `docker run --help` has them, and those of Podman beside them. */
const DOCKER_RUN: Options = {
  clusters: true,
  flags: [
    "-d",
    "--detach",
    "--disable-content-trust",
    "--init",
    "-i",
    "--interactive",
    "--no-healthcheck",
    "--oom-kill-disable",
  ].concat(
    [
      "--privileged",
      "-P",
      "--publish-all",
      "-q",
      "--quiet",
      "--read-only",
      "--rm",
      "--sig-proxy",
      "-t",
      "--tty",
      "--use-api-socket",
    ],
    [
      "--replace",
      "--rmi",
      "--read-only-tmpfs",
      "--env-host",
      "--http-proxy",
      "--no-hosts",
      "--no-hostname",
      "--tls-verify",
    ],
  ),
  values: [
    "--add-host",
    "--annotation",
    "-a",
    "--attach",
    "--blkio-weight",
    "--blkio-weight-device",
    "--cap-add",
    "--cap-drop",
  ].concat(
    [
      "--cgroup-parent",
      "--cgroupns",
      "--cidfile",
      "--cpu-count",
      "--cpu-percent",
      "--cpu-period",
      "--cpu-quota",
      "--cpu-rt-period",
    ],
    ["--cpu-rt-runtime", "-c", "--cpu-shares", "--cpus", "--cpuset-cpus", "--cpuset-mems", "--detach-keys", "--device"],
    [
      "--device-cgroup-rule",
      "--device-read-bps",
      "--device-read-iops",
      "--device-write-bps",
      "--device-write-iops",
      "--dns",
    ],
    [
      "--dns-opt",
      "--dns-option",
      "--dns-search",
      "--domainname",
      "--entrypoint",
      "-e",
      "--env",
      "--env-file",
      "--expose",
      "--gpus",
    ],
    [
      "--group-add",
      "--health-cmd",
      "--health-interval",
      "--health-retries",
      "--health-start-interval",
      "--health-start-period",
    ],
    [
      "--health-timeout",
      "-h",
      "--hostname",
      "--io-maxbandwidth",
      "--io-maxiops",
      "--ip",
      "--ip6",
      "--ipc",
      "--isolation",
    ],
    [
      "--kernel-memory",
      "-l",
      "--label",
      "--label-file",
      "--link",
      "--link-local-ip",
      "--log-driver",
      "--log-opt",
      "--mac-address",
    ],
    [
      "-m",
      "--memory",
      "--memory-reservation",
      "--memory-swap",
      "--memory-swappiness",
      "--mount",
      "--name",
      "--net",
      "--network",
    ],
    [
      "--net-alias",
      "--network-alias",
      "--oom-score-adj",
      "--pid",
      "--pids-limit",
      "--platform",
      "-p",
      "--publish",
      "--pull",
    ],
    [
      "--restart",
      "--runtime",
      "--security-opt",
      "--shm-size",
      "--stop-signal",
      "--stop-timeout",
      "--storage-opt",
      "--sysctl",
    ],
    ["--tmpfs", "--ulimit", "-u", "--user", "--userns", "--uts", "-v", "--volume", "--volume-driver", "--volumes-from"],
    [
      "-w",
      "--workdir",
      "--arch",
      "--os",
      "--variant",
      "--authfile",
      "--pod",
      "--secret",
      "--tz",
      "--umask",
      "--systemd",
    ],
  ),
};

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
  pnpm: { registryType: "npm", before: PNPM_BEFORE, runs: [{ words: ["dlx"], options: PNPM_BEFORE }] },
  pnpx: { registryType: "npm", runs: [{ words: [], options: PNPM_BEFORE }] },
  yarn: {
    registryType: "npm",
    runs: [{ words: ["dlx"], options: { flags: ["-q", "--quiet"], values: [], packages: ["-p", "--package"] } }],
  },
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
    before: { flags: ["-r", "--remote"], values: ["-c", "--connection", "--url", "--identity", "--log-level"] },
    runs: [
      { words: ["run"], options: DOCKER_RUN },
      { words: ["container", "run"], options: DOCKER_RUN },
    ],
  },
};
