import { existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type ControlPlane, isSealed, type Logger } from "@reeve/core";
import type { Store } from "@reeve/core/store";
import type { Settings } from "../settings/settings.js";
import { backfillText } from "./backfill-text.js";
import { backlogFinding } from "./backlog.js";
import { clockFinding } from "./clock.js";
import { makeReady, openControlPlane, reasonOf } from "./control-plane.js";
import { type Found, fault, ok, warning } from "./finding.js";
import { issuersFinding } from "./issuers.js";
import { verifyMailServer } from "./mailer.js";
import { postgresChecks } from "./postgres-checks.js";
import { openStore, storeName } from "./store.js";
import { targetFault } from "./targets.js";

const MIB = 2 ** 20;

type Check = readonly [name: string, look: () => Found | Promise<Found>];

/** The checks of a server with these settings. They make nothing. */
export function checksOf(settings: Settings, env: NodeJS.ProcessEnv, log: Logger): readonly Check[] {
  return [
    ["settings", () => unknownSettings(settings)],
    ["store", () => schema(settings, log)],
    ["clock", () => clock(settings, log)],
    ["master key", () => masterKey(settings, log)],
    ["base URL", () => baseUrl(settings)],
    ["mail", () => mail(settings)],
    ["outgoing calls", () => outgoing(settings, env)],
    ["deliveries", () => deliveries(settings, log)],
    ["trusted issuers", () => issuersFinding(settings)],
    ["disk", () => disk(settings)],
    ...(settings.store.kind === "postgres" ? postgresChecks(settings.store) : []),
  ];
}

function unknownSettings({ unknown }: Settings): Found {
  return unknown.length === 0
    ? ok("all are known")
    : warning(`${unknown.join(", ")}: no such setting; correct the name`);
}

/** An empty file holds no database either. */
const isAbsent = ({ store }: Settings) =>
  store.kind === "sqlite" && !(existsSync(store.file) && statSync(store.file).size > 0);
const REMEDY = "name another by REEVE_STORE, or make it by reeve migrate";

async function onStore<T>({ store: setting }: Settings, log: Logger, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(setting, log);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const statusOf = (settings: Settings, log: Logger) => onStore(settings, log, (store) => store.status());

async function schema(settings: Settings, log: Logger): Promise<Found> {
  const name = storeName(settings.store);
  if (isAbsent(settings)) return fault(`${name} is not there; ${REMEDY}`);
  try {
    const { migration, backfills = [] } = await statusOf(settings, log);
    const { applied, latest, refused, unknown } = migration;
    if (applied === 0) return fault(`${name} holds no database of Reeve; ${REMEDY}`);
    if (refused)
      return fault(`${name} has a schema (${applied}) that this program cannot work with; install the newer one`);
    const unfinished = backfills.find(({ finished }) => !finished);
    if (unfinished) return warning(`${name}: ${backfillText(unfinished)}; run reeve migrate`);
    if (unknown)
      return warning(
        `${name} has migrations that this program does not know but that admit it; it erases no closed tenants and rotates no data keys`,
      );
    if (applied === latest) return ok(`${name} has the newest schema (${latest})`);
    return warning(`${name} has ${applied} of ${latest} migrations; run reeve migrate`);
  } catch (error) {
    return fault(`cannot use ${name}: ${reasonOf(error)}`);
  }
}

/** Compares the clocks by the shorter of two questions, because the first one also connects. */
async function clock(settings: Settings, log: Logger): Promise<Found> {
  if (settings.store.kind === "sqlite") return ok("the store has the clock of this machine");
  try {
    return await onStore(settings, log, async (store) => {
      await store.status();
      const before = Date.now();
      const { now } = await store.status();
      if (now === undefined) return warning("not compared: there is no database of Reeve");
      return clockFinding({ before, database: now, after: Date.now() });
    });
  } catch (error) {
    return warning(`not compared: ${reasonOf(error)}`);
  }
}

/** Checked on a current schema only, because opening a control plane would upgrade an older one. */
async function masterKey(settings: Settings, log: Logger): Promise<Found> {
  const absent = warning("not tried: there is nothing that it opens");
  return onControlPlane(settings, log, { absent, look: async () => ok("it opens the secrets of the store") });
}

/** What waits for webhooks and for audit sinks, in all tenants. */
async function deliveries(settings: Settings, log: Logger): Promise<Found> {
  const look = async (controlPlane: ControlPlane) => {
    const waiting = (await controlPlane.backlog({ everywhere: true })).filter(({ events }) => events > 0);
    return backlogFinding(waiting, settings.deliveryAlarmMinutes, Date.now());
  };
  return onControlPlane(settings, log, { absent: ok("nothing is to be sent yet"), look });
}

const BEFORE_START = "not tried: nothing is sealed before the first start";

/** A finding about a control plane. It is opened where it is there and upgrades nothing. */
async function onControlPlane(
  settings: Settings,
  log: Logger,
  { absent, look }: { readonly absent: Found; readonly look: (controlPlane: ControlPlane) => Promise<Found> | Found },
): Promise<Found> {
  try {
    if (isAbsent(settings)) return absent;
    const { applied, latest } = (await statusOf(settings, log)).migration;
    if (applied === 0) return absent;
    if (!(await onStore(settings, log, isSealed))) return { ...absent, detail: BEFORE_START };
    if (applied < latest) return warning("not tried on an older schema; run reeve migrate");
    const controlPlane = await openControlPlane(settings, log);
    try {
      await makeReady(controlPlane, settings);
      return await look(controlPlane);
    } finally {
      await controlPlane.close();
    }
  } catch (error) {
    return fault(reasonOf(error));
  }
}

function baseUrl({ baseUrl: url, loopback }: Settings): Found {
  if (loopback || url.startsWith("https:")) return ok(url);
  return warning(`${url} is not https; end TLS in front and set REEVE_BASE_URL`);
}

async function mail({ mail: setting, loopback }: Settings): Promise<Found> {
  if (!setting) return loopback ? ok("kept in files") : warning("none is sent; set SMTP_URL and MAIL_FROM");
  try {
    await verifyMailServer(setting);
    return ok(`${new URL(setting.url).host} greets`);
  } catch (error) {
    return fault(`${new URL(setting.url).host}: ${reasonOf(error)}; correct SMTP_URL`);
  }
}

async function outgoing({ egressAllow }: Settings, env: NodeJS.ProcessEnv): Promise<Found> {
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].filter((name) => env[name]);
  if (proxies.length > 0) return warning(`${proxies.join(", ")} is not heeded; calls go out directly`);
  const silent = (await Promise.all(egressAllow.map(targetFault))).filter((reason) => reason !== undefined);
  if (silent.length > 0) return warning(`${silent.join("; ")}; correct REEVE_EGRESS_ALLOW or start the target`);
  return ok(["public https", ...egressAllow].join(", "));
}

async function disk({ store }: Settings): Promise<Found> {
  if (store.kind === "postgres") return ok("the database is elsewhere");
  let folder = dirname(resolve(store.file));
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / MIB);
  const detail = `${free} MiB are free in ${folder}`;
  if (free < 100) return fault(`${detail}; make room, as writes fail without it`);
  return free < 1_024 ? warning(`${detail}; make room`) : ok(detail);
}
