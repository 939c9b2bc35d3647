import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MODULES = "/usr/lib/apache2/modules";
const BASE = [
  "mpm_event",
  "authz_core",
  "authn_core",
  "authz_user",
  "mime",
  "dir",
  "alias",
  "env",
  "headers",
  "include",
];

/** A folder that servers with rights of their own can read, which is removed at the end. */
export function peerFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "reeve-peer-"));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Hands a folder to the user of Apache, where there is one and we may. */
export function handOver(path: string): void {
  if (process.getuid?.() === 0) execFileSync("chown", ["-R", "www-data:www-data", path]);
}

/** Apache on loopback with a page that needs a sign-on at /secret/. Resolves once it answers. */
export async function startApache(
  folder: string,
  port: number,
  { module, directives, page }: { readonly module: string; readonly directives: string; readonly page: string },
): Promise<{ stop(): Promise<void> }> {
  mkdirSync(join(folder, "htdocs/secret"), { recursive: true });
  writeFileSync(join(folder, "htdocs/index.html"), "public");
  writeFileSync(join(folder, "htdocs/secret/index.shtml"), page);
  const modules = [...BASE, module].filter((name) => existsSync(`${MODULES}/mod_${name}.so`));
  const load = modules.map(
    (name) => `LoadModule ${name === "shib" ? "mod_shib" : `${name}_module`} ${MODULES}/mod_${name}.so`,
  );
  const configuration = join(folder, "httpd.conf");
  writeFileSync(
    configuration,
    `ServerRoot /etc/apache2
PidFile ${folder}/httpd.pid
Listen 127.0.0.1:${port}
ServerName http://127.0.0.1:${port}
UseCanonicalName On
User www-data
Group www-data
ErrorLog ${folder}/error.log
DocumentRoot ${folder}/htdocs
DirectoryIndex index.shtml index.html
Mutex file:${folder} default
${load.join("\n")}
TypesConfig /etc/mime.types
AddOutputFilter INCLUDES .shtml
AddType text/html .shtml
<Directory ${folder}/htdocs>
  Require all granted
  Options +Includes
</Directory>
${directives}
`,
  );
  handOver(folder);
  const process = spawn("apache2", ["-D", "FOREGROUND", "-f", configuration], { stdio: "inherit" });
  await answers(`http://127.0.0.1:${port}/`);
  return { stop: () => ended(process) };
}

/** Waits until somebody answers at an address. */
export async function answers(url: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    if (tries > 200) throw new Error(`nobody answers at ${url}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Ends a process that we started. */
export function ended(process: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    process.once("exit", () => resolve());
    process.kill("SIGTERM");
  });
}
