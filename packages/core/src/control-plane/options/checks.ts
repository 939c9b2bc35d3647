import { egressAllowFault } from "#egress/allow-list.js";
import { dnsServerFault } from "#egress/resolver-dns.js";
import { checkpointKeyOf } from "#families/activity/chain/checkpoints/checkpoint.js";
import { agentCardKeysFault } from "#families/estate/agents/card/keys.js";
import { SIGNING_ALGORITHMS } from "#families/options.js";
import { CAPABILITIES } from "#families/platform/index.js";
import { KERNEL_DEFAULTS, LEAST_RETENTION_DAYS } from "#kernel/config/options.js";
import type { JsonWebKeySet } from "#kernel/http/json-web-keys.js";
import { minutesMs } from "#ports/durations.js";
import { keyEncryption, type MasterKey } from "#ports/key-encryption.js";
import type { ControlPlaneConfig } from "../config.js";
import {
  type Check,
  flag,
  func,
  isObject,
  listOf,
  oneOf,
  required,
  shown,
  text,
  url,
  whole,
  withMethods,
} from "./check-kinds.js";
import { openidFault } from "./openid.js";
import { roleMap, roles } from "./role-checks.js";
import { trustedIssuerFaults } from "./trusted-issuers.js";

const KEY_FORM = "32 random bytes or their base64 text (openssl rand -base64 32)";
const STORE = "a store, as createSqliteStore, createPostgresStore or createMemoryStore makes";

const CONNECTORS = "a list of connectors, each as defineConnector() makes, with provider keys of their own";

const connectorList: Check = (given) => {
  if (!Array.isArray(given)) return `must be ${CONNECTORS}, not ${shown(given)}`;
  const keys = given.map((entry) => Object(Object(entry).manifest).providerKey);
  const wrong = given.findIndex((_entry, at) => typeof keys[at] !== "string");
  if (wrong !== -1) return `must be ${CONNECTORS}; entry ${wrong} is none`;
  const again = keys.find((key, at) => keys.indexOf(key) !== at);
  return again === undefined ? undefined : `must be ${CONNECTORS}; ${again} is there twice`;
};

/** The check of each option. */
export const CHECKS: { readonly [Name in keyof Required<ControlPlaneConfig>]: Check } = {
  store: required(STORE, withMethods(STORE, "migrate", "forTenant", "transaction", "close")),
  masterKey: required(KEY_FORM, masterKey),
  baseUrl: required('the public address, as "https://host.example/governance"', url("https://host.example/governance")),
  clock: withMethods("a clock", "now"),
  ids: withMethods("a source of ids", "next"),
  logger: withMethods("a logger, as pino's is", "info", "warn", "error"),
  hasher: withMethods("a password hasher", "hash", "verify"),
  egress: withMethods("an egress, as guardedEgress() makes", "request"),
  mailer: withMethods("a mailer", "send"),
  dns: withMethods("a reader of TXT records", "txt"),
  mcp: withMethods("an MCP connector, as mcpConnector() makes", "probe"),
  connectors: connectorList,
  saml: withMethods("an engine of SAML, as samlEngine() makes", "readAuthnRequest", "writeResponse"),
  passkeys: withMethods("an engine of passkeys, as passkeyEngine() makes", "created", "signed"),
  openid: openidFault,
  tracer: withMethods("a tracer, as trace.getTracer() of @opentelemetry/api gives", "startActiveSpan"),
  rateLimits,
  rootRoutes: flag,
  doors: flag,
  reference: (given) =>
    typeof given === "boolean" ? undefined : withMethods("true, false or referencePage()", "get")(given, {}),
  console: (given) =>
    given === false ? undefined : withMethods("false or consolePages()", "page", "asset")(given, {}),
  missingTokenStatus: oneOf(401, 403),
  requireIfMatch: flag,
  requireIdempotencyKey: flag,
  errorTypeBase: text,
  eventTypePrefix: text,
  onEvent: func,
  hostCallTimeoutMs: whole(100, minutesMs(1)),
  setPasswordUrl: url("https://host.example/set-password"),
  consoleUrl: url("https://host.example/console"),
  samlSignInUrl: url("https://host.example/sign-in"),
  samlFormUrl: url("https://host.example/new-application"),
  registration: oneOf("open", "verified_email", "closed"),
  defaultCapabilities: listOf("capabilities", (entry) => {
    return entry in CAPABILITIES ? undefined : `is none; there are ${Object.keys(CAPABILITIES).join(", ")}`;
  }),
  roles,
  roleMap,
  tokenLifetime: whole(60, 86_400),
  refreshTokenLifetime: whole(300, 7_776_000),
  signingAlgorithm: oneOf(...SIGNING_ALGORITHMS),
  signingKeyDays: whole(1, 3_650),
  trustedIssuers: (given, config) => trustedIssuerFaults(given, config).join("; ") || undefined,
  agentCardKeys: (given) => agentCardKeysFault(Object(given) as JsonWebKeySet),
  authenticate: func,
  passwordMinLength: whole(8, 128),
  reReviewOn: listOf("fields", () => undefined),
  egressAllow: listOf("hosts, addresses and networks", egressAllowFault),
  dnsServers: listOf("addresses", dnsServerFault),
  sqlConsole: flag,
  activityRetentionDays: whole(1, 36_500),
  retentionDays,
  tickSeconds: whole(1, 3_600),
  tickConcurrency: whole(1, 64),
  connectorConcurrency: whole(1, 64),
  checkpointHours: whole(1, 8_760),
  checkpointKey,
  timestampUrl: url("https://tsa.example/rfc3161"),
  anchor: func,
  auditSinks,
  notices: flag,
  deliveryAlarmMinutes: whole(1, 10_080),
};

function auditSinks(given: unknown): string | undefined {
  if (!Array.isArray(given)) return `must be a list of sinks, each with a name and take(), not ${shown(given)}`;
  const names = given.map((entry) => (Object(entry) as { readonly name?: unknown }).name);
  const isSink = (entry: unknown, at: number) =>
    /^.{1,100}$/u.test(String(names[at] ?? "")) && typeof (Object(entry) as { take?: unknown }).take === "function";
  if (!given.every(isSink)) return "has one without a name of 1 to 100 characters, or without take()";
  return new Set(names).size === names.length ? undefined : "has two of the same name";
}

function retentionDays(given: unknown): string | undefined {
  if (!isObject(given)) return `must be days by kind, not ${shown(given)}`;
  const kinds = Object.keys(KERNEL_DEFAULTS.retentionDays);
  const unknown = Object.keys(given).filter((kind) => !kinds.includes(kind));
  if (unknown.length > 0) return `has no kind ${shown(unknown)}; there are ${kinds.join(", ")}`;
  const fault = (kind: string, value: unknown) =>
    value === null ? undefined : whole(LEAST_RETENTION_DAYS[kind] ?? 1, 36_500)(value, {});
  const wrong = Object.entries(given).find(([kind, value]) => fault(kind, value) !== undefined);
  return wrong && `.${wrong[0]} ${fault(...wrong)}`;
}

/** The message never shows a key. */
function masterKey(given: unknown): string | undefined {
  if (typeof given !== "string" && !(given instanceof Uint8Array) && !isObject(given))
    return `must be ${KEY_FORM}, not of type ${typeof given}`;
  try {
    keyEncryption(given as MasterKey);
    return undefined;
  } catch (error) {
    return `must be ${KEY_FORM}: ${(error as Error).message.replace(/^masterKey:? /, "")}`;
  }
}

function checkpointKey(given: unknown): string | undefined {
  try {
    checkpointKeyOf(given as string);
    return undefined;
  } catch {
    return "must be an Ed25519 private key, as PEM or KeyObject";
  }
}

function rateLimits(given: unknown): string | undefined {
  if (given === "off") return undefined;
  if (!isObject(given)) return `must be limits by bucket or "off", not ${shown(given)}`;
  const known = Object.keys(KERNEL_DEFAULTS.rateLimits);
  const faults = Object.entries(given).flatMap(([bucket, limit]) => {
    if (!known.includes(bucket)) return [`has no bucket "${bucket}"; there are ${known.join(", ")}`];
    const fault = limit === undefined ? undefined : whole(1, 1_000_000_000)(limit, {});
    return fault === undefined ? [] : [`.${bucket} ${fault}`];
  });
  return faults.length > 0 ? faults.join("; ") : undefined;
}
