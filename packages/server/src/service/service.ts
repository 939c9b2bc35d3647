import type { ControlPlane, Logger } from "@reeve/core";
import { ReeveError } from "@reeve/core";
import { Failure } from "../failure.js";
import { Drain } from "../http/drain.js";
import { front } from "../http/front.js";
import { listenForMetrics } from "../http/metrics-server.js";
import { pagesOf } from "../http/pages.js";
import { type PeerOf, peerBehind } from "../http/peer.js";
import type { HttpServer } from "../http/server.js";
import { isUntraced, ServerSpans } from "../http/server-span.js";
import { startProbeThread } from "../probes/probe-thread.js";
import { Readiness, readinessPages } from "../probes/readiness.js";
import type { Settings } from "../settings/settings.js";
import { inTime, type Opened, openWithStore } from "./control-plane.js";
import { provideMasterKey } from "./master-key.js";
import type { Metrics } from "./metrics.js";

/** How long answers may still be sent once their work is done, in ms. */
const LAST_WORDS = 1_000;
/** One year. */
const HSTS_SECONDS = 31_536_000;

/** A running server. */
export interface Service {
  /**
   * Answers for the time that the settings name, so that whoever sends requests here learns to send them elsewhere. Then
   * lets running requests finish and closes the store. `signal` ends that time early.
   */
  stop(signal?: AbortSignal): Promise<void>;
}

/**
 * Opens the store, creates the schema and what the settings ask for, and listens. Rejects with `Failure`, leaving
 * nothing open. `signal` ends the wait for a database that cannot be reached.
 */
export async function startService(
  settings: Settings,
  log: Logger,
  signal: AbortSignal = new AbortController().signal,
): Promise<Service> {
  const patience = { log, signal };
  await inTime(settings, patience, () => provideMasterKey(settings, log));
  const opened = await openWithStore(settings, log);
  const { controlPlane } = opened;
  const closing: (() => Promise<void>)[] = [];
  const drain = new Drain();
  const close = async () => {
    const closed = Promise.all(closing.map((end) => end()));
    await controlPlane.close();
    await closed;
  };
  try {
    await inTime(settings, patience, () => controlPlane.ready());
    await prepare(controlPlane, settings, log);
    const metrics = await metricsOf(settings, opened);
    const readiness = new Readiness(() => controlPlane.call("monitor.ping", undefined), drain);
    closing.push(async () => readiness.stop());
    await readiness.start();
    const http = await serverOf(settings, shownBy(controlPlane, settings, { log, metrics, drain, readiness }));
    await listen(() => http.listen(settings), settings.host, settings.port, "PORT");
    closing.push(() => closeServer(http, controlPlane));
    if (settings.probePort !== undefined) {
      const place = { host: settings.host, port: settings.probePort };
      const start = async () => closing.push(await startProbeThread(readinessPages(readiness), place, log));
      await listen(start, place.host, place.port, "REEVE_PROBE_PORT");
    }
    const { host = settings.host, port } = settings.metrics?.listen ?? {};
    if (metrics && port !== undefined) {
      const { path } = settings.metrics as { path: string };
      await listen(
        async () => closing.push(await listenForMetrics(metrics.page, { host, port, path })),
        host,
        port,
        "REEVE_METRICS",
      );
    }
    controlPlane.start(metrics?.ticked);
    if (isUntraced(process.env))
      log.warn({}, "OTEL_* is set, and no SDK of OpenTelemetry has registered: spans go nowhere");
    return { stop: (early) => drain.begin(settings.drainSeconds, early).then(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loads the library only where metrics are on. */
async function metricsOf({ metrics }: Settings, { controlPlane, store }: Opened): Promise<Metrics | undefined> {
  return metrics && (await import("./metrics.js")).createMetrics({ backlog: () => controlPlane.backlog(), store });
}

/** Running requests end with the control plane. Their answers get a moment longer to be sent. */
async function closeServer(http: HttpServer, controlPlane: ControlPlane): Promise<void> {
  const closed = http.close();
  await controlPlane.close();
  const timer = setTimeout(() => http.server.closeAllConnections(), LAST_WORDS);
  await closed;
  clearTimeout(timer);
}

/** What else can fail in the store, before the port is taken. */
async function prepare(controlPlane: ControlPlane, settings: Settings, log: Logger): Promise<void> {
  if (!settings.providerAdmin) return;
  try {
    const outcome = await controlPlane.ensureProviderAdmin(settings.providerAdmin);
    if (outcome === "created")
      log.info({ username: settings.providerAdmin.username }, "provider administrator created");
  } catch (error) {
    if (ReeveError.is(error)) throw new Failure(`REEVE_PROVIDER_ADMIN: ${error.message}`);
    throw error;
  }
}

/** A server of the configured framework. The other one is not loaded. */
async function serverOf({ adapter }: Settings, controlPlane: ControlPlane): Promise<HttpServer> {
  if (adapter === "express") return (await import("../http/server-express.js")).expressServer(controlPlane);
  return (await import("../http/server-fastify.js")).fastifyServer(controlPlane);
}

async function listen(start: () => Promise<unknown>, host: string, port: number, setting: string): Promise<void> {
  try {
    await start();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const where = `${host} port ${port}`;
    if (code === "EADDRINUSE") throw new Failure(`${where} is in use already; set ${setting} to a free one`);
    throw new Failure(`cannot listen on ${where}: ${message}`);
  }
}

interface Shown {
  readonly log: Logger;
  readonly metrics: Metrics | undefined;
  readonly drain: Drain;
  readonly readiness: Readiness;
}

function shownBy(
  controlPlane: ControlPlane,
  settings: Settings,
  { log, metrics, drain, readiness }: Shown,
): ControlPlane {
  const pages = pagesOf(readiness, settings);
  if (metrics && settings.metrics && !settings.metrics.listen) pages.set(settings.metrics.path, metrics.page);
  const observe = metrics?.answered;
  const headers = headersOf(settings);
  const spans = new ServerSpans(controlPlane);
  const options = { log, pages, peerOf: peerOf(settings), headers, drain, spans };
  return front(controlPlane, { ...options, ...(observe ? { observe } : {}) });
}

/** Without trusted proxies the peer is the connecting address. */
function peerOf({ trustProxy }: Settings): PeerOf {
  return trustProxy.length > 0 ? peerBehind(trustProxy) : ({ remoteAddress }) => remoteAddress;
}

/** After one https request, browsers use https only. */
function headersOf({ baseUrl }: Settings): Record<string, string> {
  return baseUrl.startsWith("https:") ? { "strict-transport-security": `max-age=${HSTS_SECONDS}` } : {};
}
