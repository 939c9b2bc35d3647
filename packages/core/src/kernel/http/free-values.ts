import { invalidProperty } from "./errors.js";
import { jsonPointer } from "./json-pointer.js";
import { isSecretName, isSecretNameOfLong } from "./secret-names.js";
import { holdsSecret, isPlaceholder } from "./secrets-in-text.js";

const SECRET =
  "What is free is shown, and kept in events. An identity names the place of a secret in `credentialRef`; an MCP server and a connection seal their own.";
const RUNS = "An address that leads somewhere. This one would run where it is shown.";
/** `--api-key=value`, `API_KEY=value` and `Authorization: value`, as in arguments, environments and headers. */
const ASSIGNED = /^-{0,2}([A-Za-z][\w.-]{0,63})\s{0,4}[=:]\s{0,4}(\S.{7,})$/s;
/** Schemes of addresses that run, or show, what stands in them. */
const RUNNING = /^(?:javascript|vbscript|data|blob):/i;
/** Characters of a text in which the scheme of an address stands. */
const LOOKED_AT = 100;
const ADDRESS_NAME = /(?:url|uri|href|link|ref|website|homepage|endpoint)s?$/i;

/** 400 where a value that is shown holds a secret, by its name or its form, or an address that runs in a browser. */
export function refuseUnfit(value: unknown, pointer = "", name = ""): void {
  const unfit = unfitIn(value, name);
  if (unfit) throw invalidProperty(pointer + jsonPointer(unfit.path), unfit.fault);
}

/** What is wrong with an address that, by the name of its property, runs in the browser of whoever follows it. */
export function runningFault(text: string, name: string): string | undefined {
  return runs(text, name) ? RUNS : undefined;
}

/** A value without the parts that `refuseUnfit` refuses, whose paths are added to `left`. */
export function withoutUnfit<V>(value: V, left: string[], path = "", name = ""): V | undefined {
  if (typeof value === "string" && faultOf(value, name) !== undefined) {
    left.push(path);
    return undefined;
  }
  if (typeof value !== "object" || value === null) return value;
  const kept = partsOf(value, name).flatMap(([key, held, known]) => {
    const fit = withoutUnfit(held, left, path === "" ? key : `${path}.${key}`, known);
    return fit === undefined ? [] : [[key, fit] as const];
  });
  return (Array.isArray(value) ? kept.map(([, held]) => held) : Object.fromEntries(kept)) as V;
}

/** The first unfit part of a value. Its path is made on the way back, because hardly any value has one. */
function unfitIn(
  value: unknown,
  name: string,
): { readonly fault: string; readonly path: readonly string[] } | undefined {
  const fault = typeof value === "string" ? faultOf(value, name) : undefined;
  if (fault !== undefined) return { fault, path: [] };
  for (const [key, held, known] of partsOf(value, name)) {
    const unfit = unfitIn(held, known);
    if (unfit) return { fault: unfit.fault, path: [key, ...unfit.path] };
  }
  return undefined;
}

/** The parts of a value, each with the name that it goes by. */
function partsOf(value: unknown, name: string): [key: string, held: unknown, known: string][] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.map((item, at) => [String(at), item, argumentOf(value, at) ?? name]);
  const named = pairOf(value);
  return Object.entries(value).map(([key, held]) => [key, held, key === "value" ? (named ?? key) : key]);
}

/** `--api-key` and its value stand beside each other in lists of arguments. */
function argumentOf(items: readonly unknown[], at: number): string | undefined {
  const before = items[at - 1];
  return typeof before === "string" && before.startsWith("-") ? before : undefined;
}

/** The name in `{ name, value }`, `{ key, value }` and `{ header, value }`. */
function pairOf(value: object): string | undefined {
  const { name, key = name, header = key } = value as Record<string, unknown>;
  return typeof header === "string" ? header : undefined;
}

function faultOf(text: string, name: string): string | undefined {
  const [, option = "", assigned = ""] = ASSIGNED.exec(text) ?? [];
  if (isSecretValue(name, text) || isSecretValue(option, assigned) || holdsSecret(text)) return SECRET;
  return runningFault(text, name);
}

/** Browsers drop spaces and controls from addresses. */
function runs(text: string, name: string): boolean {
  return ADDRESS_NAME.test(name) && RUNNING.test(text.slice(0, LOOKED_AT).replaceAll(/[\p{Cc} ]/gu, ""));
}

function isSecretValue(name: string, value: string): boolean {
  return (isSecretName(name) || isSecretNameOfLong(name, value)) && !isPlaceholder(value);
}
