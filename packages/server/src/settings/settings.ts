import type { MasterKeys, ProviderAdmin, TrustedIssuer } from "@reeve/core";
import type { OpenidSettings } from "@reeve/openid";
import type { AuditSettings } from "../audit/audit-sinks.js";
import { readAudit } from "./audit.js";
import { baseUrlOf } from "./base-url.js";
import { type CheckpointSetting, readCheckpoints } from "./checkpoints.js";
import {
  type Choice,
  type MetricsSetting,
  POOLERS,
  type PostgresSetting,
  type Read,
  type StoreSetting,
} from "./kinds.js";
import { MASTER_KEY_FORM, masterKeysOf } from "./master-keys.js";
import { RETENTION_TAKES, type RetentionSetting, retentionOf } from "./retention.js";
import { readOpenid, readTrustedIssuers } from "./trusted-issuers.js";
import {
  CONSOLE_TAKES,
  consoleOf,
  DEFAULT_STORE,
  dnsServersOf,
  EGRESS_ENTRIES,
  egressAllowOf,
  hostOf,
  isLoopback,
  isSchemaName,
  kindOf,
  listed,
  metricsOf,
  networksOf,
  poolSizeOf,
  portOf,
  postgresUrlOf,
  quoted,
  readProviderAdmin,
  secondsOf,
  senderOf,
  smtpUrlOf,
  storeOf,
  urlHost,
  wholeOf,
} from "./values.js";

export const ADAPTERS = ["fastify", "express"] as const;
export const REGISTRATIONS = ["open", "verified_email", "closed"] as const;
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export const DOCS = ["on", "openapi", "off"] as const;

/** The mail server and the sender's address. */
export interface MailSetting {
  readonly url: string;
  readonly from: string;
}

/** All settings of the environment, checked. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Whether only this machine can reach the server. */
  readonly loopback: boolean;
  readonly adapter: (typeof ADAPTERS)[number];
  readonly store: StoreSetting;
  readonly baseUrl: string;
  /** Base64. Absent on a loopback server that keeps its own key. */
  readonly masterKey: string | MasterKeys | undefined;
  readonly registration: (typeof REGISTRATIONS)[number];
  readonly providerAdmin: ProviderAdmin | undefined;
  /** OpenID issuers whose tokens are accepted. */
  readonly trustedIssuers: readonly TrustedIssuer[];
  /** OpenID providers that people sign in by in a browser. */
  readonly openid: readonly OpenidSettings[];
  /** Absent without a mail server. */
  readonly mail: MailSetting | undefined;
  /** The page of mailed links for setting a password; below the base URL when absent. */
  readonly setPasswordUrl: string | undefined;
  readonly rateLimit: boolean;
  /** Targets that may be called although they are not public https. */
  readonly egressAllow: readonly string[];
  /** Name servers for verifying domains; those of the system when empty. */
  readonly dnsServers: readonly string[];
  /** Whether the provider has the SQL console. On PostgreSQL the store setting then has its login. */
  readonly sqlConsole: boolean;
  /** Networks of proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
  /** The reference page with the OpenAPI document, the document only, or neither. */
  readonly docs: (typeof DOCS)[number];
  /** Whether the console is served. */
  readonly console: boolean;
  /** Absent when metrics are off. */
  readonly metrics: MetricsSetting | undefined;
  /** The port where a thread of its own answers probes. Absent where there is none. */
  readonly probePort: number | undefined;
  /** Pause between two rounds of jobs. */
  readonly tickSeconds: number;
  /** How long things are kept, where it is not as long as by default. */
  readonly retention: RetentionSetting;
  /** How long a start waits for a database that cannot be reached. */
  readonly startSeconds: number;
  /** How long a server that is told to stop goes on answering. */
  readonly drainSeconds: number;
  /** Where the record of all tenants goes as well. */
  readonly audit: AuditSettings;
  /** What checkpoints of the record are signed and stamped by. */
  readonly checkpoints: CheckpointSetting;
  /** Minutes after which a webhook or a sink that takes nothing is told of. */
  readonly deliveryAlarmMinutes: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Unknown variables with Reeve's prefix, which may be typos. */
  readonly unknown: readonly string[];
}

const NAMES = [
  "REEVE_ADAPTER",
  "REEVE_STORE",
  "REEVE_BASE_URL",
  "REEVE_MASTER_KEY",
  "REEVE_REGISTRATION",
  "REEVE_PROVIDER_ADMIN",
  "REEVE_TRUSTED_ISSUERS",
  "REEVE_TRUSTED_ISSUERS_FILE",
  "REEVE_OPENID",
  "REEVE_OPENID_FILE",
  "REEVE_RATE_LIMIT",
  "REEVE_EGRESS_ALLOW",
  "REEVE_DNS_SERVERS",
  "REEVE_SQL_CONSOLE",
  "REEVE_SET_PASSWORD_URL",
  "REEVE_MIGRATE_URL",
  "REEVE_SCHEMA",
  "REEVE_POOLER",
  "REEVE_DIRECT_URL",
  "REEVE_POOL_SIZE",
  "REEVE_REPLICA_URL",
  "REEVE_REPLICA_SECONDS",
  "REEVE_TRUST_PROXY",
  "REEVE_DOCS",
  "REEVE_CONSOLE",
  "REEVE_METRICS",
  "REEVE_PROBE_PORT",
  "REEVE_TICK_SECONDS",
  "REEVE_AUDIT_FILE",
  "REEVE_AUDIT_SYSLOG",
  "REEVE_AUDIT_SYSLOG_CA",
  "REEVE_AUDIT_OTLP",
  "REEVE_AUDIT_FORMAT",
  "REEVE_AUDIT_ENTERPRISE",
  "REEVE_CHECKPOINT_KEY",
  "REEVE_CHECKPOINT_KEY_FILE",
  "REEVE_TIMESTAMP_URL",
  "REEVE_DELIVERY_ALARM_MINUTES",
  "REEVE_RETENTION_DAYS",
  "REEVE_START_SECONDS",
  "REEVE_DRAIN_SECONDS",
  "REEVE_TOKEN",
  "REEVE_PROFILE",
  "REEVE_CLIENT_ID",
  "REEVE_CLIENT_SECRET",
];

/** Reads all settings, or returns a fault for each invalid one. Reads `env` and the files that it names. No fault repeats a secret. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings | { faults: string[] } {
  const faults: string[] = [];
  const read: Read = (name, takes, parse, shown = true) => {
    const text = env[name];
    if (text === undefined || text === "") return undefined;
    const value = parse(text);
    if (value === undefined) faults.push(`${name} must be ${takes}${shown ? `, not ${quoted(text)}` : ""}`);
    return value;
  };
  const choice: Choice = (name, choices) => read(name, listed(choices), (text) => choices.find((one) => one === text));

  const port = read("PORT", "a whole number from 1 to 65535", portOf) ?? 4_000;
  const host = read("HOST", "an IP address or a host name", hostOf) ?? "127.0.0.1";
  const loopback = isLoopback(host);
  const adapter = choice("REEVE_ADAPTER", ADAPTERS) ?? "fastify";
  const store = read("REEVE_STORE", "sqlite:<file> or postgres://<user>@<host>/<database>", storeOf, false);
  const baseUrl =
    read("REEVE_BASE_URL", "an http or https URL without user, query and fragment", baseUrlOf, false) ??
    `http://${urlHost(host)}:${port}`;
  const masterKey = read("REEVE_MASTER_KEY", MASTER_KEY_FORM, masterKeysOf, false);
  if (!env.REEVE_MASTER_KEY && !loopback)
    faults.push(`REEVE_MASTER_KEY is required when HOST is not a loopback address: 32 random bytes in base64`);
  const registration = choice("REEVE_REGISTRATION", REGISTRATIONS) ?? (loopback ? "open" : "verified_email");
  const providerAdmin = readProviderAdmin(env.REEVE_PROVIDER_ADMIN, faults);
  const trustedIssuers = readTrustedIssuers(env, baseUrl, faults);
  const openid = readOpenid(env, trustedIssuers, faults);
  const smtpUrl = read("SMTP_URL", "smtp://<user>:<password>@<host>:<port>, or smtps://", smtpUrlOf, false);
  const from = read("MAIL_FROM", "an e-mail address, or a name and an address in <>", senderOf);
  if (smtpUrl !== undefined && !env.MAIL_FROM)
    faults.push("MAIL_FROM is required with SMTP_URL: the address mail comes from");
  const setPasswordUrl = read(
    "REEVE_SET_PASSWORD_URL",
    "an http or https URL without user, query and fragment",
    baseUrlOf,
    false,
  );
  const rateLimit = choice("REEVE_RATE_LIMIT", ["on", "off"]) ?? "on";
  const egressAllow = read("REEVE_EGRESS_ALLOW", EGRESS_ENTRIES, egressAllowOf) ?? [];
  const dnsServers =
    read("REEVE_DNS_SERVERS", "a list, by commas, of IP addresses, each with or without :port", dnsServersOf) ?? [];
  const sqlConsole = read("REEVE_SQL_CONSOLE", CONSOLE_TAKES[kindOf(store)], (text) => consoleOf(text, store), false);
  const postgres = readPostgres(read, store);
  const trustProxy = read("REEVE_TRUST_PROXY", "a list, by commas, of <address> or <network>/<bits>", networksOf) ?? [];
  const docs = choice("REEVE_DOCS", DOCS) ?? "on";
  const console = choice("REEVE_CONSOLE", ["on", "off"]) ?? "on";
  const metrics = read("REEVE_METRICS", "/<path>, :<port>/<path> or <host>:<port>/<path>", metricsOf);
  const probePort = read("REEVE_PROBE_PORT", "a whole number from 1 to 65535", portOf);
  const tickSeconds = read("REEVE_TICK_SECONDS", "a whole number from 1 to 3600", (text) => secondsOf(text, 1)) ?? 10;
  const retention = read("REEVE_RETENTION_DAYS", RETENTION_TAKES, retentionOf) ?? {};
  const drainSeconds =
    read("REEVE_DRAIN_SECONDS", "a whole number from 0 to 300", (text) => wholeOf(text, 0, 300)) ?? 0;
  const startSeconds = read("REEVE_START_SECONDS", "a whole number from 0 to 3600", (text) => secondsOf(text, 0)) ?? 60;
  const audit = readAudit(read, choice);
  const checkpoints = readCheckpoints(env, read, faults);
  const deliveryAlarmMinutes =
    read("REEVE_DELIVERY_ALARM_MINUTES", "a whole number from 1 to 10080", (text) => wholeOf(text, 1, 10_080)) ?? 30;
  const logLevel = choice("LOG_LEVEL", LOG_LEVELS) ?? "info";
  if (faults.length > 0) return { faults };
  const used = sqlConsole?.store ?? store ?? DEFAULT_STORE;
  return {
    port,
    host,
    loopback,
    adapter,
    store: used.kind === "postgres" ? { ...used, ...postgres } : used,
    baseUrl,
    masterKey,
    registration,
    providerAdmin,
    trustedIssuers,
    openid,
    mail: smtpUrl !== undefined && from !== undefined ? { url: smtpUrl, from } : undefined,
    setPasswordUrl,
    rateLimit: rateLimit === "on",
    egressAllow,
    dnsServers,
    sqlConsole: sqlConsole?.on ?? false,
    trustProxy,
    docs,
    console: console === "on",
    metrics,
    probePort,
    tickSeconds,
    retention,
    startSeconds,
    drainSeconds,
    audit,
    checkpoints,
    deliveryAlarmMinutes,
    logLevel,
    unknown: Object.keys(env).filter((name) => name.startsWith("REEVE_") && !NAMES.includes(name)),
  };
}

/** The settings of PostgreSQL, each of which is a fault with SQLite. */
function readPostgres(read: Read, store: StoreSetting | undefined): PostgresSetting {
  const url = (name: string, whose: string) =>
    read(
      name,
      `the postgres:// URL of ${whose}, with a REEVE_STORE of PostgreSQL`,
      (text) => postgresUrlOf(text, store),
      false,
    );
  const migrationUrl = url("REEVE_MIGRATE_URL", "the login that makes the tables");
  const directUrl = url("REEVE_DIRECT_URL", "the server itself");
  const poolSize = read("REEVE_POOL_SIZE", "2 to 999, with a REEVE_STORE of PostgreSQL", (text) =>
    poolSizeOf(text, store),
  );
  const replicaUrl = url("REEVE_REPLICA_URL", "a read replica");
  const replicaSeconds = read("REEVE_REPLICA_SECONDS", "1 to 3600, with a REEVE_STORE of PostgreSQL", (text) =>
    store?.kind === "postgres" ? secondsOf(text, 1) : undefined,
  );
  const pooler = read("REEVE_POOLER", `${listed(POOLERS)}, with a REEVE_STORE of PostgreSQL`, (text) =>
    store?.kind === "postgres" ? POOLERS.find((one) => one === text) : undefined,
  );
  const schema = read("REEVE_SCHEMA", "a name of a schema, with a REEVE_STORE of PostgreSQL", (text) =>
    store?.kind === "postgres" && isSchemaName(text) ? text : undefined,
  );
  return {
    ...(schema === undefined ? {} : { schema }),
    ...(migrationUrl === undefined ? {} : { migrationUrl }),
    ...(directUrl === undefined ? {} : { directUrl }),
    ...(poolSize === undefined ? {} : { poolSize }),
    ...(replicaUrl === undefined ? {} : { replicaUrl }),
    ...(replicaSeconds === undefined ? {} : { maxReplicaStalenessMs: replicaSeconds * 1_000 }),
    ...(pooler === undefined ? {} : { pooler }),
  };
}
