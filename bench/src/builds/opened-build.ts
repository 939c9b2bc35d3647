import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ControlPlane, ControlPlaneConfig, Principal } from "@reeve/core";
import { ISSUER, MASTER_KEY, PERSON } from "../estate.js";

const MANY = 1_000_000_000;
/** Limits of calls, of which older builds have fewer. */
const LIMITS = ["tenant", "principal", "address", "credential", "expensive", "rejected"];

type Items = Parameters<ControlPlane["importAssets"]>[1];

/** A build of any age on an SQLite file of its own, by what every build has. */
export interface OpenedBuild {
  /** Sends a request with the token of the tenant's owner. Returns the body, and throws when it is refused. */
  send(method: "GET" | "POST", target: string, body?: object): Promise<string>;
  importAssets(items: Items): Promise<unknown>;
  decide(request: object): Promise<unknown>;
  /** A full evaluation run from its request to its end. */
  evaluate(): Promise<void>;
  tick(): Promise<unknown>;
  /** Registers another tenant, and works in it from now on. */
  enterTenant(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the packages of a built checkout. */
export async function openBuild(checkout: string): Promise<OpenedBuild> {
  const load = (name: string) => import(pathToFileURL(join(checkout, "packages", name, "dist/index.js")).href);
  const core = (await load("core")) as typeof import("@reeve/core");
  const sqlite = (await load("store-sqlite")) as typeof import("@reeve/store-sqlite");
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-build-"));
  const store = sqlite.createSqliteStore({ file: join(folder, "reeve.sqlite") });
  await store.migrate();
  const controlPlane = withLimits(LIMITS, (rateLimits) =>
    core.createControlPlane({
      ...{ store, masterKey: MASTER_KEY, baseUrl: ISSUER, registration: "open", tokenLifetime: 86_400 },
      rateLimits,
    } as ControlPlaneConfig),
  );
  await controlPlane.ready();
  let principal: Principal;
  let token = "";
  const enterTenant = async (name: string) => {
    const person = { ...PERSON, username: `${name.toLowerCase()}@reeve.example` };
    const body = { organization: name, ...person };
    const { tenantId, userId } = await controlPlane.call("registration.register", undefined, { body });
    ({ token } = await controlPlane.call("auth.signIn", undefined, { body: person }));
    principal = await controlPlane.principalOf(tenantId, userId);
  };
  await enterTenant("Bench");
  return {
    async send(method, target, sent) {
      const bytes = sent === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(sent));
      const type = sent === undefined ? {} : { "content-type": "application/json" };
      const headers = { authorization: `Bearer ${token}`, ...type };
      const body = async () => bytes;
      const answer = await controlPlane.handle({ method, target, headers, body, remoteAddress: "127.0.0.1" });
      const text = String(answer?.body ?? "");
      if (answer === undefined || answer.status >= 300)
        throw new Error(`${method} ${target}: ${answer?.status} ${text}`);
      return text;
    },
    importAssets: (items) => controlPlane.importAssets(principal, items, {}),
    decide: (request) => controlPlane.decide(principal, request as never),
    async evaluate() {
      const { id } = await controlPlane.call("aiEvaluations.run", principal, { body: { mode: "full" } });
      for (;;) {
        await controlPlane.tick();
        const { status, finishedAt } = await controlPlane.call("aiEvaluations.read", principal, { params: { id } });
        if (status === "completed") return;
        if (finishedAt !== null) throw new Error(`the run ended as ${status}`);
      }
    },
    tick: () => controlPlane.tick(),
    enterTenant,
    async close() {
      await controlPlane.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Leaves out the limits that a build does not know. */
function withLimits(names: readonly string[], open: (limits: Record<string, number>) => ControlPlane): ControlPlane {
  try {
    return open(Object.fromEntries(names.map((name) => [name, MANY])));
  } catch (error) {
    const unknown = /no bucket "(\w+)"/.exec(String(error))?.[1];
    if (unknown === undefined) throw error;
    return withLimits(
      names.filter((name) => name !== unknown),
      open,
    );
  }
}
