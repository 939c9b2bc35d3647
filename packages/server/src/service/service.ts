import { dirname, join } from "node:path";
import {
  type Capability,
  type ControlPlane,
  createControlPlane,
  type Logger,
  type Mailer,
  ReeveError,
} from "@reeve/core";
import { CAPABILITIES } from "@reeve/core/reference";
import { mcpConnector } from "@reeve/mcp";
import { referencePage } from "@reeve/reference-page";
import { Failure } from "../failure.js";
import { front } from "../http/front.js";
import type { HttpServer } from "../http/server.js";
import { PASSWORD_LENGTH, type Settings } from "../settings/settings.js";
import { filedMailer, smtpMailer } from "./mailer.js";
import { masterKeyOf } from "./master-key.js";
import { openStore, storeName } from "./store.js";
import { startTicks } from "./ticks.js";

/** How long answers under way may take to be sent once the work behind them is done, in ms. */
const LAST_WORDS = 1_000;

/** A server that answers. */
export interface Service {
  /** Lets requests under way finish, then closes the store. */
  stop(): Promise<void>;
}

/** Opens the store, makes the schema and what the settings ask for, and listens. Rejects with `Failure`, leaving nothing open. */
export async function startService(settings: Settings, log: Logger): Promise<Service> {
  const controlPlane = await openControlPlane(settings, log);
  try {
    await prepare(controlPlane, settings, log);
    const shown = front(controlPlane, log);
    const http = await serverOf(settings, shown);
    await listen(http, settings);
    const stopTicks = startTicks(() => controlPlane.tick(), log);
    return {
      async stop() {
        stopTicks();
        const closed = http.close();
        await controlPlane.close();
        const timer = setTimeout(() => http.server.closeAllConnections(), LAST_WORDS);
        await closed;
        clearTimeout(timer);
      },
    };
  } catch (error) {
    await controlPlane.close();
    throw error;
  }
}

/** Opens the store and makes the control plane, listening to nobody. Rejects with `Failure`. */
export async function openControlPlane(settings: Settings, log: Logger): Promise<ControlPlane> {
  try {
    const masterKey = masterKeyOf(settings);
    return createControlPlane({
      store: await openStore(settings.store, log),
      masterKey,
      logger: log,
      baseUrl: settings.baseUrl,
      registration: settings.registration,
      defaultCapabilities: Object.keys(CAPABILITIES) as Capability[],
      passwordMinLength: PASSWORD_LENGTH,
      egressAllow: settings.egressAllow,
      dnsServers: settings.dnsServers,
      // Over HTTP only: which commands may be run for servers over stdio is for code to say, and this server has none.
      mcp: mcpConnector(),
      rootRoutes: true,
      sqlConsole: settings.sqlConsole,
      reference: referencePage(),
      ...(settings.rateLimit ? {} : { rateLimits: "off" }),
      ...(settings.setPasswordUrl === undefined ? {} : { setPasswordUrl: settings.setPasswordUrl }),
      ...mailerOf(settings, log),
    });
  } catch (error) {
    throw cannotOpen(settings, error);
  }
}

/** A mail server where one is set; on a developer's own machine files; otherwise nothing, and what needs mail answers 501. */
function mailerOf({ mail, loopback, registration, store }: Settings, log: Logger): { mailer?: Mailer } {
  if (mail) return { mailer: smtpMailer(mail) };
  if (loopback) return { mailer: filedMailer(mailDirectory(store), log) };
  if (registration === "verified_email") log.warn({}, "nobody can register until SMTP_URL is set");
  return {};
}

/** Beside the SQLite file, or in ./data when the database is elsewhere. */
function mailDirectory(store: Settings["store"]): string {
  return store.kind === "sqlite" ? join(dirname(store.file), "mail") : "./data/mail";
}

/** Makes the schema and reads the keys. Rejects with `Failure`. */
export async function makeReady(controlPlane: ControlPlane, settings: Settings): Promise<void> {
  try {
    await controlPlane.ready();
  } catch (error) {
    if (!(ReeveError.is(error) && error.code === "secret_unavailable")) throw cannotOpen(settings, error);
    throw new Failure(`the master key is not the one that ${storeName(settings.store)} was made with`);
  }
}

/** Everything that can fail on the side of the store, before the port is taken. */
async function prepare(controlPlane: ControlPlane, settings: Settings, log: Logger): Promise<void> {
  await makeReady(controlPlane, settings);
  if (!settings.providerAdmin) return;
  try {
    const outcome = await controlPlane.ensureProviderAdmin(settings.providerAdmin);
    if (outcome === "created")
      log.info({ username: settings.providerAdmin.username }, "provider administrator created");
  } catch (error) {
    if (ReeveError.is(error)) throw new Failure(`REEVE_PROVIDER_ADMIN: ${error.detail}`);
    throw error;
  }
}

/** A server of the framework that is set; the other one is not loaded. */
async function serverOf({ adapter }: Settings, controlPlane: ControlPlane): Promise<HttpServer> {
  if (adapter === "express") return (await import("../http/server-express.js")).expressServer(controlPlane);
  return (await import("../http/server-fastify.js")).fastifyServer(controlPlane);
}

async function listen(http: HttpServer, settings: Settings): Promise<void> {
  try {
    await http.listen(settings);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const where = `${settings.host} port ${settings.port}`;
    if (code === "EADDRINUSE") throw new Failure(`${where} is in use already; set PORT to a free one`);
    throw new Failure(`cannot listen on ${where}: ${message}`);
  }
}

function cannotOpen(settings: Settings, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { message, cause } = error as Error;
  const why =
    cause instanceof Error && cause.message && !message.includes(cause.message)
      ? `${message}: ${cause.message}`
      : message;
  return new Failure(`cannot use ${storeName(settings.store)}: ${why.replaceAll(/\s*\n\s*/g, " ")}`);
}
