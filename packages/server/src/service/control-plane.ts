import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { consolePages } from "@reeve/console";
import {
  assertionConnector,
  type Capability,
  type ControlPlane,
  createControlPlane,
  type Logger,
  type Mailer,
  ReeveError,
  type Store,
  signOnConnector,
} from "@reeve/core";
import { CAPABILITIES } from "@reeve/core/reference";
import { mcpConnector } from "@reeve/mcp";
import { openidSignIn } from "@reeve/openid";
import { passkeyEngine } from "@reeve/passkeys";
import { referencePage } from "@reeve/reference-page";
import { samlEngine } from "@reeve/saml";
import { auditSinks } from "../audit/audit-sinks.js";
import { Failure } from "../failure.js";
import { serverTracer } from "../http/server-span.js";
import type { Settings } from "../settings/settings.js";
import { PASSWORD_LENGTH } from "../settings/values.js";
import { allConnectors } from "./connectors.js";
import { filedMailer, smtpMailer } from "./mailer.js";
import { masterKeyOf } from "./master-key.js";
import { openStore, storeName } from "./store.js";

/** A control plane, and the store that it closes. */
export interface Opened {
  readonly controlPlane: ControlPlane;
  readonly store: Store;
}

/** Opens the store and creates the control plane, without a server. It makes no master key. */
export async function openControlPlane(settings: Settings, log: Logger): Promise<ControlPlane> {
  return (await openWithStore(settings, log)).controlPlane;
}

/** The same, with its store. */
export async function openWithStore(settings: Settings, log: Logger): Promise<Opened> {
  try {
    const masterKey = masterKeyOf(settings);
    // HTTP only. Commands for stdio servers can only be set in code, and this server sets none.
    const mcp = mcpConnector();
    const store = await openStore(settings.store, log);
    const controlPlane = createControlPlane({
      store,
      masterKey,
      logger: log,
      baseUrl: settings.baseUrl,
      registration: settings.registration,
      trustedIssuers: settings.trustedIssuers,
      defaultCapabilities: Object.keys(CAPABILITIES) as Capability[],
      passwordMinLength: PASSWORD_LENGTH,
      egressAllow: settings.egressAllow,
      dnsServers: settings.dnsServers,
      tickSeconds: settings.tickSeconds,
      auditSinks: auditSinks(settings.audit),
      deliveryAlarmMinutes: settings.deliveryAlarmMinutes,
      ...settings.retention,
      ...settings.checkpoints,
      mcp,
      passkeys: passkeyEngine(),
      ...(settings.openid.length > 0 ? { openid: openidSignIn(settings.openid) } : {}),
      saml: samlEngine(),
      connectors: [...allConnectors(mcp), signOnConnector(), assertionConnector()],
      tracer: serverTracer(),
      rootRoutes: true,
      doors: true,
      sqlConsole: settings.sqlConsole,
      console: settings.console && consolePages(),
      reference: settings.docs === "on" ? referencePage() : settings.docs === "openapi",
      ...(settings.rateLimit ? {} : { rateLimits: "off" }),
      ...(settings.setPasswordUrl === undefined ? {} : { setPasswordUrl: settings.setPasswordUrl }),
      ...mailerOf(settings, log),
    });
    return { controlPlane, store };
  } catch (error) {
    throw cannotOpen(settings, error);
  }
}

/** The mailer: SMTP if set, or files on a loopback server. Otherwise none, and operations that need mail answer 501. */
function mailerOf({ mail, loopback, registration, store }: Settings, log: Logger): { mailer?: Mailer } {
  if (mail) return { mailer: smtpMailer(mail) };
  if (loopback) return { mailer: filedMailer(mailDirectory(store), log) };
  if (registration === "verified_email") log.warn({}, "nobody can register until SMTP_URL is set");
  return {};
}

/** Beside the SQLite file, or in ./data for PostgreSQL. */
function mailDirectory(store: Settings["store"]): string {
  return store.kind === "sqlite" ? join(dirname(store.file), "mail") : "./data/mail";
}

/** Pause between two attempts to reach the database, in ms. */
const AGAIN_MS = 1_000;
const AWAY: readonly unknown[] = ["unavailable", "busy", "storage_unavailable", "storage_busy"];

/**
 * Takes a step of the start, and again while the database cannot be reached, until time is over or the start is given up.
 * Rejects with `Failure`.
 */
export async function inTime(
  settings: Settings,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
  step: () => Promise<void>,
): Promise<void> {
  const deadline = performance.now() + settings.startSeconds * 1_000;
  for (;;) {
    try {
      return await usable(settings, step());
    } catch (error) {
      const { code } = Object((error as Error).cause);
      if (!AWAY.includes(code) || signal.aborted || performance.now() + AGAIN_MS > deadline) throw error;
      log.warn({ error: (error as Error).message }, "the database is waited for");
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Creates the schema and reads the keys. Rejects with `Failure`. */
export function makeReady(controlPlane: ControlPlane, settings: Settings): Promise<void> {
  return usable(settings, controlPlane.ready());
}

/** The outcome of a step that makes ready first. Its failures become a `Failure`. */
export async function usable<T>(settings: Settings, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    if (!(ReeveError.is(error) && error.code === "secret_unavailable")) throw cannotOpen(settings, error);
    throw new Failure(`the master key is not the one that ${storeName(settings.store)} was made with`);
  }
}

function cannotOpen(settings: Settings, error: unknown): Failure {
  if (error instanceof Failure) return error;
  // Statements that an administrator has to run stay on lines of their own.
  const failure = new Failure(`cannot use ${storeName(settings.store)}: ${messageOf(error)}`);
  failure.cause = error;
  return failure;
}

/** The message of an error and its cause, on one line. */
export const reasonOf = (error: unknown): string => messageOf(error).replaceAll(/\s*\n\s*/g, " ");

/** The same as it was written, such as with statements that somebody has to copy. */
export function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  const isMore = cause instanceof Error && cause.message && !message.includes(cause.message);
  return isMore ? `${message}: ${cause.message}` : message;
}
