import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../postgres/free-port.js";
import { type Program, program } from "./program.js";

const NAME = "cerbos-linux-x64";
/** How long it may take until it answers on a busy machine. */
const START_MS = 60_000;

/** A rule of a resource policy of Cerbos. */
export interface CerbosRule {
  readonly actions: readonly string[];
  /** An expression over `P`, the subject, and `R`, the resource. */
  readonly if?: string;
}

/** A running Cerbos, which answers the Authorization API of AuthZEN. */
export interface CerbosServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Cerbos as its package of npm brings it. */
export const cerbosProgram = (): Program =>
  program(NAME, `npm:@cerbos/${NAME}@0.55.0`, `/opt/reeve-clients/node_modules/@cerbos/${NAME}`);

/** Starts Cerbos with rules by type of resource, all of which allow. It logs each decision to a file, as Reeve stores each. */
export async function startCerbos(
  path: string,
  rules: Readonly<Record<string, readonly CerbosRule[]>>,
): Promise<CerbosServer> {
  const folder = await mkdtemp(join(tmpdir(), "reeve-cerbos-"));
  const policies = join(folder, "policies");
  await mkdir(policies);
  for (const [resource, some] of Object.entries(rules))
    await writeFile(join(policies, `${resource}.json`), JSON.stringify(policyOf(resource, some)));
  const port = await freePort();
  const config = join(folder, "cerbos.json");
  await writeFile(config, JSON.stringify(configOf(folder, policies, port)));
  const child = spawn(path, ["server", `--config=${config}`, "--log-level=error"], { stdio: "ignore" });
  const exited = once(child, "exit");
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
    await rm(folder, { recursive: true });
  };
  const failed = exited.then(([code]) => Promise.reject(new Error(`Cerbos has ended (${code})`)));
  try {
    await Promise.race([answers(`${url}/_cerbos/health`), failed]);
  } catch (error) {
    await stop();
    throw error;
  }
  failed.catch(() => undefined);
  return { url, pid: child.pid as number, stop };
}

function policyOf(resource: string, rules: readonly CerbosRule[]): object {
  return {
    apiVersion: "api.cerbos.dev/v1",
    resourcePolicy: {
      ...{ resource, version: "default" },
      rules: rules.map(({ actions, if: expr }) => ({
        ...{ actions, effect: "EFFECT_ALLOW", roles: ["*"] },
        ...(expr === undefined ? {} : { condition: { match: { expr } } }),
      })),
    },
  };
}

function configOf(folder: string, policies: string, port: number): object {
  return {
    server: { httpListenAddr: `127.0.0.1:${port}`, grpcListenAddr: `unix:${join(folder, "grpc.sock")}` },
    telemetry: { disabled: true },
    storage: { driver: "disk", disk: { directory: policies, watchForChanges: false } },
    audit: {
      ...{ enabled: true, accessLogsEnabled: false, decisionLogsEnabled: true },
      ...{ backend: "file", file: { path: join(folder, "decisions.log") } },
    },
  };
}

async function answers(url: string): Promise<void> {
  const until = Date.now() + START_MS;
  while (Date.now() < until) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await wait(50);
  }
  throw new Error("Cerbos does not answer");
}
