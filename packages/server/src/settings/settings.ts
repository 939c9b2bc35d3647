import { BlockList, isIP } from "node:net";
import { dnsServerFault, egressAllowFault, type MasterKeys, type ProviderAdmin, providerAdminFault } from "@reeve/core";
import { MASTER_KEY_FORM, masterKeysOf } from "./master-keys.js";

export const ADAPTERS = ["fastify", "express"] as const;
export const REGISTRATIONS = ["open", "verified_email", "closed"] as const;
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Least length of a password, in characters. */
export const PASSWORD_LENGTH = 15;

export type StoreSetting =
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string; readonly consoleUrl?: string };

/** Where mail goes, and what stands in From. */
export interface MailSetting {
  readonly url: string;
  readonly from: string;
}

/** Everything the environment decides, checked. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** Only this machine can reach the server. */
  readonly loopback: boolean;
  readonly adapter: (typeof ADAPTERS)[number];
  readonly store: StoreSetting;
  readonly baseUrl: string;
  /** Base64; absent on a loopback server that keeps a key of its own. */
  readonly masterKey: string | MasterKeys | undefined;
  readonly registration: (typeof REGISTRATIONS)[number];
  readonly providerAdmin: ProviderAdmin | undefined;
  /** Absent where there is no mail server. */
  readonly mail: MailSetting | undefined;
  /** Page that mailed links to set a password lead to; below the base URL when absent. */
  readonly setPasswordUrl: string | undefined;
  readonly rateLimit: boolean;
  /** What may be called although it is not public https. */
  readonly egressAllow: readonly string[];
  /** Name servers that are asked for the proofs of domains; those of the system when empty. */
  readonly dnsServers: readonly string[];
  /** Whether the provider may ask in SQL; on PostgreSQL by the login that the store setting then holds. */
  readonly sqlConsole: boolean;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Variables that look like ours and are not: slips of the pen. */
  readonly unknown: readonly string[];
}

const NAMES = [
  "REEVE_ADAPTER",
  "REEVE_STORE",
  "REEVE_BASE_URL",
  "REEVE_MASTER_KEY",
  "REEVE_REGISTRATION",
  "REEVE_PROVIDER_ADMIN",
  "REEVE_RATE_LIMIT",
  "REEVE_EGRESS_ALLOW",
  "REEVE_DNS_SERVERS",
  "REEVE_SQL_CONSOLE",
  "REEVE_SET_PASSWORD_URL",
];

/** Reads all settings, or says of each bad one what it takes. Looks at nothing but `env`; no fault repeats a secret. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings | { faults: string[] } {
  const faults: string[] = [];
  /** The setting's value, its default when it is not set, or a fault; `shown` values are repeated in the fault. */
  const read = <T>(name: string, takes: string, parse: (text: string) => T | undefined, shown = true) => {
    const text = env[name];
    if (text === undefined || text === "") return undefined;
    const value = parse(text);
    if (value === undefined) faults.push(`${name} must be ${takes}${shown ? `, not ${quoted(text)}` : ""}`);
    return value;
  };
  const choice = <const T extends string>(name: string, choices: readonly T[]) =>
    read(name, listed(choices), (text) => choices.find((one) => one === text));

  const port = read("PORT", "a whole number from 1 to 65535", portOf) ?? 4_000;
  const host = read("HOST", "an IP address or a host name", hostOf) ?? "127.0.0.1";
  const loopback = isLoopback(host);
  const adapter = choice("REEVE_ADAPTER", ADAPTERS) ?? "fastify";
  const store = read("REEVE_STORE", "sqlite:<file> or postgres://<user>@<host>/<database>", storeOf, false);
  const baseUrl = read("REEVE_BASE_URL", "an http or https URL without user, query and fragment", baseUrlOf, false);
  const masterKey = read("REEVE_MASTER_KEY", MASTER_KEY_FORM, masterKeysOf, false);
  if (!env.REEVE_MASTER_KEY && !loopback)
    faults.push(`REEVE_MASTER_KEY is required when HOST is not a loopback address: 32 random bytes in base64`);
  const registration = choice("REEVE_REGISTRATION", REGISTRATIONS) ?? (loopback ? "open" : "verified_email");
  const providerAdmin = readProviderAdmin(env.REEVE_PROVIDER_ADMIN, faults);
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
  const logLevel = choice("LOG_LEVEL", LOG_LEVELS) ?? "info";
  if (faults.length > 0) return { faults };
  return {
    port,
    host,
    loopback,
    adapter,
    store: sqlConsole?.store ?? store ?? DEFAULT_STORE,
    baseUrl: baseUrl ?? `http://${urlHost(host)}:${port}`,
    masterKey,
    registration,
    providerAdmin,
    mail: smtpUrl !== undefined && from !== undefined ? { url: smtpUrl, from } : undefined,
    setPasswordUrl,
    rateLimit: rateLimit === "on",
    egressAllow,
    dnsServers,
    sqlConsole: sqlConsole?.on ?? false,
    logLevel,
    unknown: Object.keys(env).filter((name) => name.startsWith("REEVE_") && !NAMES.includes(name)),
  };
}

const listed = (choices: readonly string[]) => `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
const quoted = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

function portOf(text: string): number | undefined {
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535 ? port : undefined;
}

function hostOf(text: string): string | undefined {
  const name = text.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) && !/^[\d.]+$/.test(text);
  return isIP(text) || name ? text : undefined;
}

const loopbackAddresses = new BlockList();
loopbackAddresses.addSubnet("127.0.0.0", 8);
loopbackAddresses.addAddress("::1", "ipv6");

function isLoopback(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host.toLowerCase() === "localhost" : loopbackAddresses.check(host, `ipv${version as 4 | 6}`);
}

/** How a host stands in a URL; of "every address" the one that this machine reaches. */
function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return isIP(host) === 6 ? `[${host}]` : host;
}

function storeOf(text: string): StoreSetting | undefined {
  if (text.startsWith("sqlite:")) {
    const file = text.slice("sqlite:".length);
    return file === "" || file.startsWith(":") || file.endsWith("/") ? undefined : { kind: "sqlite", file };
  }
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const { hostname, pathname } = new URL(text);
  return hostname === "" || pathname.length < 2 ? undefined : { kind: "postgres", url: text };
}

const DEFAULT_STORE: StoreSetting = { kind: "sqlite", file: "./data/reeve.sqlite" };
const CONSOLE_TAKES = { sqlite: "on or off", postgres: "off or the postgres:// URL of the console's login" } as const;
const kindOf = (store: StoreSetting = DEFAULT_STORE) => store.kind;

function consoleOf(text: string, store: StoreSetting = DEFAULT_STORE) {
  if (text === "off") return { on: false, store };
  if (store.kind === "sqlite") return text === "on" ? { on: true, store } : undefined;
  const login = storeOf(text);
  return login?.kind === "postgres" ? { on: true, store: { ...store, consoleUrl: login.url } } : undefined;
}

function baseUrlOf(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username || url.password || url.search || url.hash ? undefined : url.href.replace(/\/+$/, "");
}

const EGRESS_ENTRIES = "a list, by commas, of <host>, <address> or <network>/<bits>, each with or without :<port>";

function egressAllowOf(text: string): readonly string[] | undefined {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.every((entry) => egressAllowFault(entry) === undefined) ? entries : undefined;
}

function smtpUrlOf(text: string): string | undefined {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).hostname === "" ? undefined : text;
}

function senderOf(text: string): string | undefined {
  const address = '[^\\s<>@",;]+@[^\\s<>@",;]+';
  return new RegExp(`^(?:${address}|[^<>\\r\\n",;]+ <${address}>)$`).test(text) ? text : undefined;
}

function dnsServersOf(text: string): readonly string[] | undefined {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.every((entry) => dnsServerFault(entry) === undefined) ? entries : undefined;
}

function readProviderAdmin(text: string | undefined, faults: string[]): ProviderAdmin | undefined {
  if (!text) return undefined;
  const colon = text.indexOf(":");
  if (colon < 0) {
    faults.push("REEVE_PROVIDER_ADMIN must be <e-mail address>:<password>");
    return undefined;
  }
  const admin = { username: text.slice(0, colon), password: text.slice(colon + 1) };
  const fault = providerAdminFault(admin, PASSWORD_LENGTH);
  if (fault !== undefined) faults.push(`REEVE_PROVIDER_ADMIN must be <e-mail address>:<password>: ${fault}`);
  return admin;
}
