// A registry for the length of a test, on the loopback. It has what is published to it, and nothing else.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { command } from "./checks.js";
import { freePort } from "./free-port.js";

export interface Registry {
  readonly url: string;
  /** Variables with which npm and pnpm may publish to it. */
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

const CONFIG = `
storage: ./storage
auth:
  htpasswd:
    file: ./htpasswd
packages:
  "@reeve/*":
    access: $all
    publish: $authenticated
web:
  enable: false
max_body_size: 100mb
log: { type: stdout, format: pretty, level: error }
`;

/** Starts it in an empty folder. */
export async function startRegistry(folder: string): Promise<Registry> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.yaml"), CONFIG);
  const host = `127.0.0.1:${await freePort()}`;
  const url = `http://${host}/`;
  const args = [command("verdaccio"), "--config", "config.yaml", "--listen", host];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
  const ended = once(child, "close");
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  try {
    while (!(await fetch(`${url}-/ping`).catch(() => undefined))?.ok) {
      if (child.exitCode !== null) throw new Error(`verdaccio ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const settings = join(folder, "npmrc");
    writeFileSync(settings, `//${host}/:_authToken=${await signUp(url)}\n`);
    return { url, env: { ...process.env, NPM_CONFIG_USERCONFIG: settings }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function signUp(url: string): Promise<string> {
  const answer = await fetch(`${url}-/user/org.couchdb.user:release`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "release", password: crypto.randomUUID() }),
  });
  const { token } = (await answer.json()) as { token?: string };
  if (token === undefined) throw new Error(`verdaccio answers ${answer.status} to a new user`);
  return token;
}
