import { BlockList, isIP } from "node:net";
import { dnsServerFault, egressAllowFault, type ProviderAdmin, providerAdminFault } from "@reeve/core";
import { networksFault } from "../http/peer.js";
import type { MetricsSetting, StoreSetting } from "./kinds.js";

/** Minimum length of a password, in characters. */
export const PASSWORD_LENGTH = 15;

export const listed = (choices: readonly string[]) => `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
export const quoted = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

export function portOf(text: string): number | undefined {
  const port = Number(text);
  return /^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535 ? port : undefined;
}

/** Whole seconds up to an hour. */
export function secondsOf(text: string, least: number): number | undefined {
  const seconds = Number(text);
  return /^\d{1,4}$/.test(text) && seconds >= least && seconds <= 3_600 ? seconds : undefined;
}

/** A whole number between two others, or these. */
export function wholeOf(text: string, least: number, most: number): number | undefined {
  const number = Number(text);
  return /^\d{1,10}$/.test(text) && number >= least && number <= most ? number : undefined;
}

export function hostOf(text: string): string | undefined {
  const name = text.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) && !/^[\d.]+$/.test(text);
  return isIP(text) || name ? text : undefined;
}

const loopbackAddresses = new BlockList();
loopbackAddresses.addSubnet("127.0.0.0", 8);
loopbackAddresses.addAddress("::1", "ipv6");

export function isLoopback(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host.toLowerCase() === "localhost" : loopbackAddresses.check(host, `ipv${version as 4 | 6}`);
}

/** A host in the form of URLs. For "every address" it is one that this machine reaches. */
export function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return isIP(host) === 6 ? `[${host}]` : host;
}

export function storeOf(text: string): StoreSetting | undefined {
  if (text.startsWith("sqlite:")) {
    const file = text.slice("sqlite:".length);
    return file === "" || file.startsWith(":") || file.endsWith("/") ? undefined : { kind: "sqlite", file };
  }
  const servers = /^postgres(ql)?:\/\//.test(text) ? serversOf(text) : [];
  const isWhole = servers.every(({ hostname, pathname }) => hostname !== "" && pathname.length >= 2);
  return servers.length > 0 && isWhole ? { kind: "postgres", url: text } : undefined;
}

/** A URL for each server that a connection URL names; empty when one cannot be read. */
export function serversOf(text: string): readonly URL[] {
  const [, before = "", hosts = "", after = ""] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(text) ?? [];
  // The folder of a Unix socket stands behind the database, and then no host is needed before it.
  const named = hosts === "" && /[?&]host=./.test(after) ? "localhost" : hosts;
  const urls = named.split(",").map((host) => `${before}${host}${after}`);
  return urls.every((url) => URL.canParse(url)) ? urls.map((url) => new URL(url)) : [];
}

/** The folder of the Unix socket that a server's URL names; `undefined` when it names none. */
export const socketOf = ({ searchParams }: URL) => searchParams.get("host") || undefined;

export const DEFAULT_STORE: StoreSetting = { kind: "sqlite", file: "./data/reeve.sqlite" };
export const CONSOLE_TAKES = {
  sqlite: "on or off",
  postgres: "off or the postgres:// URL of the console's login",
} as const;
export const kindOf = (store: StoreSetting = DEFAULT_STORE) => store.kind;

export function consoleOf(text: string, store: StoreSetting = DEFAULT_STORE) {
  if (text === "off") return { on: false, store };
  if (store.kind === "sqlite") return text === "on" ? { on: true, store } : undefined;
  const login = storeOf(text);
  return login?.kind === "postgres" ? { on: true, store: { ...store, consoleUrl: login.url } } : undefined;
}

export const EGRESS_ENTRIES =
  "a list, by commas, of <host>, <address> or <network>/<bits>, each with or without :<port>";

export function egressAllowOf(text: string): readonly string[] | undefined {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.every((entry) => egressAllowFault(entry) === undefined) ? entries : undefined;
}

/** A connection URL of another login to the configured PostgreSQL database. */
export function postgresUrlOf(text: string, store: StoreSetting = DEFAULT_STORE): string | undefined {
  const login = storeOf(text);
  return store.kind === "postgres" && login?.kind === "postgres" ? login.url : undefined;
}

export function poolSizeOf(text: string, store: StoreSetting = DEFAULT_STORE): number | undefined {
  const size = Number(text);
  return store.kind === "postgres" && /^\d{1,3}$/.test(text) && size >= 2 ? size : undefined;
}

/** Whether tables can be in a schema of this name. The names of roles extend it, so it is short. */
export function isSchemaName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,47}$/.test(text) && !/^(?:pg_.*|public|information_schema)$/i.test(text);
}

export function networksOf(text: string): readonly string[] | undefined {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.every((entry) => networksFault(entry) === undefined) ? entries : undefined;
}

export function metricsOf(text: string): MetricsSetting | undefined {
  const [, host, port, path = ""] = /^(?:([^/]*):(\d+))?(\/[\w./-]*)$/.exec(text) ?? [];
  if (path.length < 2) return undefined;
  if (port === undefined) return { path };
  const name = (host ?? "").replace(/^\[(.+)\]$/, "$1");
  if (portOf(port) === undefined || (name !== "" && hostOf(name) === undefined)) return undefined;
  return { path, listen: { host: name === "" ? undefined : name, port: Number(port) } };
}

export function smtpUrlOf(text: string): string | undefined {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).hostname === "" ? undefined : text;
}

export function senderOf(text: string): string | undefined {
  const address = '[^\\s<>@",;]+@[^\\s<>@",;]+';
  return new RegExp(`^(?:${address}|[^<>\\r\\n",;]+ <${address}>)$`).test(text) ? text : undefined;
}

export function dnsServersOf(text: string): readonly string[] | undefined {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.every((entry) => dnsServerFault(entry) === undefined) ? entries : undefined;
}

export function readProviderAdmin(text: string | undefined, faults: string[]): ProviderAdmin | undefined {
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
