import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@reeve/testkit/postgres";
import { program } from "@reeve/testkit/programs";

export const installed = program("fossil", "fossil");
export const PASSWORD = "s3cret-of-the-admin";
export const BOB = "bobs-own-password";
/** An administrator besides the connector's. */
export const FRIDA = { name: "frida", password: "fridas-own-password" };
const run = promisify(execFile);

export interface FossilServer {
  readonly url: string;
  readonly port: number;
  /** Runs the program in the server's folder. */
  fossil(...args: readonly string[]): Promise<string>;
  /** What a user may do, by the repository's own file. */
  capabilities(repository: string, user: string): Promise<string>;
  setCapabilities(repository: string, user: string, capabilities: string): Promise<void>;
  /** The same as another administrator does it, over the network. */
  changeAsAdministrator(repository: string, user: string, capabilities: string): Promise<void>;
  /** Whether bob can clone a repository over the network. */
  bobClones(repository: string): Promise<boolean>;
  /** Checks files in, and returns the hash. A link is written as `-> target`. */
  commit(repository: string, files: Readonly<Record<string, string>>): Promise<string>;
  close(): Promise<void>;
}

/** A real Fossil server with the repositories `agents` and `tools`, of which none is public. */
export async function fossilServer(): Promise<FossilServer> {
  const home = await mkdtemp(join(tmpdir(), "reeve-fossil-"));
  const env = { ...process.env, HOME: home, USER: "admin" };
  const path = installed.path as string;
  const fossil = async (...args: readonly string[]) => (await run(path, [...args], { cwd: home, env })).stdout;
  const setCapabilities = async (repository: string, user: string, capabilities: string) =>
    void (await fossil("user", "capabilities", user, capabilities, "-R", `${repository}.fossil`));
  for (const name of ["agents", "tools"]) {
    await fossil("new", "--admin-user", "admin", "--project-name", name, `${name}.fossil`);
    await fossil("user", "password", "admin", PASSWORD, "-R", `${name}.fossil`);
    await fossil("user", "new", FRIDA.name, FRIDA.name, FRIDA.password, "-R", `${name}.fossil`);
    await setCapabilities(name, FRIDA.name, "s");
    for (const user of ["nobody", "anonymous"]) await setCapabilities(name, user, "");
    for (const user of ["bob", "carol", "dora", "eve"]) {
      await fossil("user", "new", user, user, BOB, "-R", `${name}.fossil`);
      await setCapabilities(name, user, "p");
    }
  }
  const port = await freePort();
  const args = ["server", "--port", String(port), "--localhost", "--repolist", "."];
  const server = spawn(path, args, { cwd: home, env, stdio: ["ignore", "pipe", "ignore"] });
  await once(server.stdout, "data");
  const url = `http://127.0.0.1:${port}`;
  let clones = 0;
  return {
    url,
    port,
    fossil,
    setCapabilities,
    async changeAsAdministrator(repository, user, capabilities) {
      const { authToken } = await call(`${url}/${repository}/json/login`, { payload: FRIDA });
      const payload = { name: user, capabilities };
      await call(`${url}/${repository}/json/user/save`, { authToken, payload });
    },
    async capabilities(repository, user) {
      const text = await fossil("user", "capabilities", user, "-R", `${repository}.fossil`);
      return text.trim();
    },
    async bobClones(repository) {
      clones += 1;
      const from = `http://bob:${BOB}@127.0.0.1:${port}/${repository}`;
      return fossil("clone", "--once", from, `clone-${clones}.fossil`).then(
        () => true,
        () => false,
      );
    },
    async commit(repository, files) {
      const folder = join(home, `open-${repository}`);
      await mkdir(folder, { recursive: true });
      const within = (...given: string[]) => run(path, given, { cwd: folder, env });
      await within("open", "-f", join(home, `${repository}.fossil`)).catch(() => undefined);
      await within("setting", "allow-symlinks", "1");
      for (const [name, content] of Object.entries(files)) {
        const at = join(folder, name);
        await mkdir(dirname(at), { recursive: true });
        if (content.startsWith("-> ")) await symlink(content.slice(3), at);
        else await writeFile(at, content);
      }
      await within("add", "--dotfiles", ".");
      const { stdout } = await within("commit", "-m", "x", "--no-warnings");
      return /New_Version: ([0-9a-f]+)/.exec(stdout)?.[1] ?? "";
    },
    async close() {
      server.kill();
      await once(server, "exit");
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Calls Fossil's JSON API. Throws where it refuses. */
async function call(url: string, body: object): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const { resultCode, payload } = (await response.json()) as { resultCode?: string; payload: Record<string, unknown> };
  if (resultCode !== undefined) throw new Error(`Fossil answered ${resultCode}`);
  return payload;
}
