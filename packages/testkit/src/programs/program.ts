import { accessSync, constants } from "node:fs";
import { join } from "node:path";

/** Where programs are that are not on every user's path. */
const MORE = [
  "/usr/sbin",
  "/usr/local/sbin",
  "/usr/local/libexec",
  "/usr/libexec",
  "/opt/homebrew/opt/openldap/libexec",
];

/** A real system that tests start from a package of the machine. */
export interface Program {
  /** `undefined` where it is not installed. */
  readonly path: string | undefined;
  /** For the name of a suite. */
  readonly note: string;
}

/**
 * Looks for a program. A suite of a program that is not installed is skipped, and says so. With `CI=true` it fails, so
 * that green never means that nothing was tested, unless `REEVE_TESTS_WITHOUT` names the program. With `folder` it is a
 * file there, such as a module of a server. The package is one of Debian, or one of npm as `npm:<name>@<version>`.
 */
export function program(name: string, installed: string, folder?: string): Program {
  const folders = folder ? [folder] : [...(process.env.PATH ?? "").split(":"), ...MORE];
  const path = folders.map((one) => join(one, name)).find(folder ? isReadable : isExecutable);
  const how = installed.startsWith("npm:") ? `npm install ${installed.slice(4)}` : `apt-get install ${installed}`;
  const note = `${name} is not installed (${how})`;
  const allowed = (process.env.REEVE_TESTS_WITHOUT ?? "").split(" ").includes(name);
  if (path === undefined && process.env.CI === "true" && !allowed) throw new Error(note);
  return { path, note: path === undefined ? ` – skipped: ${note}` : "" };
}

function isExecutable(path: string): boolean {
  return permits(path, constants.X_OK);
}

function isReadable(path: string): boolean {
  return permits(path, constants.R_OK);
}

function permits(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
