import { looksSecret } from "./secrets.js";

const RUNNERS: Readonly<Record<string, { readonly registryType: string; readonly skip?: readonly string[] }>> = {
  npx: { registryType: "npm" },
  bunx: { registryType: "npm" },
  pnpm: { registryType: "npm", skip: ["dlx", "exec"] },
  yarn: { registryType: "npm", skip: ["dlx"] },
  uvx: { registryType: "pypi" },
  uv: { registryType: "pypi", skip: ["tool", "run"] },
  pipx: { registryType: "pypi", skip: ["run"] },
  docker: { registryType: "oci", skip: ["run"] },
  podman: { registryType: "oci", skip: ["run"] },
};
/** Options of these that take the next word. */
const WITH_VALUE = new Set([
  "-e",
  "--env",
  "-v",
  "--volume",
  "--mount",
  "--name",
  "--network",
  "-p",
  "--env-file",
  "-w",
]);
const NAME = { npm: /^(@[\w.-]+\/)?[\w.-]+$/, pypi: /^[\w.-]+$/, oci: /^[\w./:-]+$/ } as Readonly<
  Record<string, RegExp>
>;

export interface FoundPackage {
  readonly registryType: string;
  readonly identifier: string;
  readonly version: string | null;
}

/** The package that a command runs; `undefined` where it names none. */
export function packageOf(command: string, args: readonly string[]): FoundPackage | undefined {
  const name =
    command
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.(cmd|exe)$/i, "") ?? "";
  const runner = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  if (!runner) return undefined;
  const given = args.filter((_, at) => !WITH_VALUE.has(args[at - 1] ?? ""));
  const first = given.find((arg) => !arg.startsWith("-") && !runner.skip?.includes(arg));
  if (first === undefined || first.length > 200 || looksSecret(first)) return undefined;
  return named(runner.registryType, first);
}

function named(registryType: string, text: string): FoundPackage | undefined {
  const separator = registryType === "pypi" ? /(?:==|@)/ : registryType === "oci" ? /:(?=[^/]+$)/ : /(?<=.)@/;
  const [identifier = "", version = null] = text.split(separator);
  if (!NAME[registryType]?.test(identifier) || (version !== null && !/^[\w.+-]{1,100}$/.test(version)))
    return undefined;
  return { registryType, identifier, version: version === "latest" ? null : version };
}
