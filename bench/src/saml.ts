import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ControlPlane, createMemoryStore, type Principal } from "@reeve/core";
import type { Store } from "@reeve/core/store";
import { startPostgres } from "@reeve/testkit/postgres";
import { ISSUER, MASTER_KEY, PERSON } from "./estate.js";
import { start } from "./standalone.js";
import { median } from "./stats.js";
import { openControlPlane, openStore } from "./subject.js";

const SAML_USAGE = `npm run bench -- saml [options]
  --rounds 31         rounds of each, in turn
  --signons 20        sign-ons in a round
  --starts 9          starts of a process with and without SAML
  --stores memory,sqlite,postgres,server
                      server: the standalone server on SQLite, through HTTP`;

/** Measures sign-ons beside the signing of the same response alone, and starts with and without SAML. */
export async function benchSaml(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string", default: "31" },
      signons: { type: "string", default: "20" },
      starts: { type: "string", default: "9" },
      stores: { type: "string", default: "memory,sqlite,postgres,server" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(`${SAML_USAGE}\n`);
  const folder = mkdtempSync(join(tmpdir(), "reeve-bench-saml-"));
  try {
    for (const kind of values.stores.split(",")) {
      const { signOn, close } = await subjectOf(kind, folder);
      const reported = await compared(signOn, Number(values.rounds), Number(values.signons)).finally(close);
      process.stdout.write(`${kind}: ${reported}\n`);
    }
    process.stdout.write(`${await starts(folder, Number(values.starts))}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Subject {
  readonly signOn: () => Promise<void>;
  readonly close: () => Promise<void>;
}

async function subjectOf(kind: string, folder: string): Promise<Subject> {
  if (kind === "server") return servedSubject(folder);
  if (kind !== "postgres")
    return ownSubject(
      kind === "memory" ? createMemoryStore() : openStore({ store: "sqlite", location: join(folder, "bench.sqlite") }),
    );
  const settings = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };
  const server = await startPostgres({ settings });
  const { signOn, close } = await ownSubject(openStore({ store: "postgres", location: server.url() }));
  return { signOn, close: () => close().then(() => server.stop()) };
}

async function ownSubject(store: Store): Promise<Subject> {
  const saml = (await import("@reeve/saml")).samlEngine();
  const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY }, { saml, rootRoutes: true });
  await controlPlane.ready();
  const { person, appId } = await registered(controlPlane);
  const signOn = async () => {
    const { nonce } = await controlPlane.call("samlApps.launch", person, {
      params: { appInstanceId: appId },
      body: {},
    });
    await controlPlane.call("sso.signOn", person, { params: { nonce, app_instance_id: appId } });
  };
  return { signOn, close: () => controlPlane.close() };
}

/** The same through HTTP: the launch, and the address that it answers with. */
async function servedSubject(folder: string): Promise<Subject> {
  const { url, stop } = await start(folder);
  const ask = async (method: string, path: string, token?: string, body?: object) => {
    const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return JSON.parse(text) as Record<string, string>;
  };
  await ask("POST", "/api/v1/register", undefined, { organization: "Bench", ...PERSON });
  const { token } = await ask("POST", "/api/v1/auth/signin", undefined, PERSON);
  const { id } = await ask("POST", "/api/v1/saml-apps/create", token, APP);
  await ask("POST", `/api/v1/saml-apps/${id}/assignments`, token, { subjectType: "everyone" });
  const signOn = async () => {
    const { nonce } = await ask("POST", `/api/v1/saml-apps/${id}/launch`, token);
    await ask("GET", `/${nonce}/${id}`, token);
  };
  return { signOn, close: stop };
}

/** Sign-ons beside the signing of the same response alone, in turn. */
async function compared(whole: () => Promise<void>, rounds: number, count: number): Promise<string> {
  const saml = (await import("@reeve/saml")).samlEngine();
  const { privateKey, certificate } = await saml.newKey("bench", Date.now(), 30);
  const issuer = { entityId: `${ISSUER}/saml/metadata`, ssoUrl: `${ISSUER}/saml/sso`, sloUrl: `${ISSUER}/saml/slo` };
  const bare = async () => {
    const now = Date.now();
    await saml.writeResponse({
      ...{ issuer, signer: { privateKey, certificate }, signed: "response", encryptFor: null, now },
      ...{ entityId: APP.entityId, acsUrl: ACS, inResponseTo: null, authenticatedAt: now, authenticatedBy: "password" },
      ...{ nameId: PERSON.username, nameIdFormat: "email", sessionIndex: "_session", sessionEndsAt: now + 28_800_000 },
      attributes: [{ name: "mail", nameFormat: "basic", values: [PERSON.username] }],
      ids: { response: "_response", assertion: "_assertion" },
    });
  };
  const [alone, served, ratios]: [number[], number[], number[]] = [[], [], []];
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? [bare, whole] : [whole, bare];
    const rates = new Map<unknown, number>();
    for (const work of order) rates.set(work, await rateOf(work, count));
    if (round === 0) continue;
    const [one, other] = [rates.get(bare) as number, rates.get(whole) as number];
    alone.push(one);
    served.push(other);
    ratios.push(other / one);
  }
  const figure = (rate: readonly number[]) => median(rate).toFixed(1);
  return `${figure(served)} sign-ons a second, ${figure(alone)} responses signed alone, ratio ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
}

async function rateOf(work: () => Promise<void>, count: number): Promise<number> {
  const began = performance.now();
  for (let at = 0; at < count; at += 1) await work();
  return (count * 1_000) / (performance.now() - began);
}

const ACS = "https://bench.example/acs";
const APP = {
  name: "Bench",
  status: "active" as const,
  entityId: "https://bench.example/metadata",
  acsUrls: [ACS],
  attributeMapping: [{ name: "mail", source: "username" as const, nameFormat: "basic" as const }],
};

async function registered(controlPlane: ControlPlane): Promise<{ readonly person: Principal; readonly appId: string }> {
  const { tenantId, userId } = await controlPlane.call("registration.register", undefined, {
    body: { organization: "Bench", ...PERSON },
  });
  const person = await controlPlane.principalOf(tenantId, userId);
  const { id } = await controlPlane.call("samlApps.create", person, { body: APP });
  await controlPlane.call("samlApps.assign", person, {
    params: { appInstanceId: id },
    body: { subjectType: "everyone" },
  });
  return { person, appId: id };
}

/** What a process tells of its start. Memory is resident, in MiB. */
interface Started {
  readonly ms: number;
  readonly mib: number;
  /** After the first sign-on, where there is one. */
  readonly usedMib: number;
}

const SORTS = ["without", "with"] as const;

async function starts(folder: string, count: number): Promise<string> {
  const reported: Record<(typeof SORTS)[number], Started[]> = { without: [], with: [] };
  for (let at = 0; at < count; at += 1)
    for (const sort of at % 2 === 0 ? SORTS : [...SORTS].reverse())
      reported[sort].push(await startProcess(join(folder, `start-${at}-${sort}.sqlite`), sort));
  const lines = SORTS.map((sort) => {
    const of = (field: keyof Started) => median(reported[sort].map((one) => one[field]));
    const used = sort === "with" ? `, ${of("usedMib").toFixed(1)} MiB after the first sign-on` : "";
    return `${sort} SAML: ready after ${of("ms").toFixed(0)} ms, ${of("mib").toFixed(1)} MiB${used}`;
  });
  return lines.join("\n");
}

async function startProcess(location: string, sort: (typeof SORTS)[number]): Promise<Started> {
  const began = performance.now();
  const child = fork(process.argv[1] as string, ["serve-saml", location, sort], { execArgv: ["--expose-gc"] });
  const exited = once(child, "exit");
  await once(child, "message");
  const ms = performance.now() - began;
  child.send("tell");
  const [memory] = (await once(child, "message")) as [Omit<Started, "ms">];
  child.disconnect();
  await exited;
  return { ms, ...memory };
}

/** The child process: starts on a new database, tells that it is ready, and its memory when it is asked. */
export async function serveSaml(location: string, sort: string): Promise<void> {
  const more = sort === "with" ? { saml: (await import("@reeve/saml")).samlEngine(), rootRoutes: true } : {};
  const store = openStore({ store: "sqlite", location });
  const controlPlane = openControlPlane(store, { issuer: ISSUER, masterKey: MASTER_KEY }, more);
  await controlPlane.ready();
  process.send?.("ready");
  await once(process, "message");
  const mib = memory();
  if (sort === "with") {
    const { person, appId } = await registered(controlPlane);
    const { nonce } = await controlPlane.call("samlApps.launch", person, {
      params: { appInstanceId: appId },
      body: {},
    });
    await controlPlane.call("sso.signOn", person, { params: { nonce, app_instance_id: appId } });
  }
  process.send?.({ mib, usedMib: memory() });
  await once(process, "disconnect");
  await controlPlane.close();
}

function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 2 ** 20;
}
