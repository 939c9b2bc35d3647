import { ReeveError } from "./errors.js";

/** A decoded JSON object body. No key at any depth reaches a prototype. */
export type JsonObject = Record<string, unknown>;

/** Limits of a JSON body. They are checked before `JSON.parse`, which has none. */
export const JSON_LIMITS = {
  bytes: 256 * 1024,
  depth: 32,
  nodes: 10_000,
  keysPerObject: 1_000,
  stringLength: 64 * 1024,
  keyLength: 256,
} as const;

/** Limits of a JSON text. `roundsIntegers`: integers beyond 2^53 are taken, as their nearest number. */
export interface JsonLimits
  extends Readonly<Record<"depth" | "nodes" | "keysPerObject" | "stringLength" | "keyLength", number>> {
  readonly roundsIntegers?: true;
}

const FORBIDDEN = new Set(["__proto__"]);

/**
 * Scans JSON text once and refuses what breaks the limits, duplicate keys, prototype keys, NUL, lone surrogates and
 * integers beyond 2^53. It does not check the whole grammar, because `JSON.parse` follows.
 */
export function guardJson(text: string, limits: JsonLimits = JSON_LIMITS): void {
  const open: (Set<string> | null)[] = [];
  const owners: (string | undefined)[] = [];
  let nodes = 0;
  let at = 0;
  let expectKey = false;
  let lastKey: string | undefined;
  while (at < text.length) {
    const char = text.charCodeAt(at);
    if (char === 0x22) {
      const end = stringEnd(text, at);
      if (expectKey) {
        lastKey = checkKey(text, [at, end], limits, open[open.length - 1], owners[owners.length - 1]);
        expectKey = false;
      } else {
        checkString(text, at, end, limits.stringLength);
        nodes += 1;
      }
      at = end + 1;
    } else if (char === 0x7b || char === 0x5b) {
      open.push(char === 0x7b ? new Set() : null);
      owners.push(lastKey);
      if (open.length > limits.depth) throw tooMuch(`nested deeper than ${limits.depth} levels`);
      nodes += 1;
      expectKey = char === 0x7b;
      at += 1;
    } else if (char === 0x7d || char === 0x5d) {
      open.pop();
      owners.pop();
      expectKey = false;
      at += 1;
    } else if (char === 0x2c) {
      expectKey = open.length > 0 && open[open.length - 1] !== null;
      at += 1;
    } else if (char === 0x2d || (char >= 0x30 && char <= 0x39)) {
      at = checkNumber(text, at, limits.roundsIntegers);
      nodes += 1;
    } else if (char === 0x74 || char === 0x66 || char === 0x6e) {
      // `true`, `false` or `null`, by its first letter.
      nodes += 1;
      at += char === 0x66 ? 5 : 4;
    } else {
      at += 1;
    }
    if (nodes > limits.nodes) throw tooMuch(`more than ${limits.nodes} values`);
  }
}

function tooMuch(what: string): ReeveError {
  return new ReeveError("invalid_json", `The body is ${what}.`);
}

function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  throw new ReeveError("invalid_json", "A string does not end.");
}

function plainText(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(text.slice(start, end + 1)) as string;
  } catch (cause) {
    throw new ReeveError("invalid_json", "A string holds an invalid escape.", { cause });
  }
}

function checkKey(
  text: string,
  [start, end]: readonly [number, number],
  { keyLength, keysPerObject }: JsonLimits,
  seen: Set<string> | null | undefined,
  owner?: string,
): string {
  const key = plainText(text, start, end);
  checkText(key);
  if (key.length > keyLength) throw tooMuch(`using a property name longer than ${keyLength} characters`);
  if (FORBIDDEN.has(key) || (key === "prototype" && owner === "constructor")) {
    throw new ReeveError("forbidden_key", `The property name "${key}" is not allowed.`);
  }
  if (seen?.has(key))
    throw new ReeveError("invalid_json", `The property "${key.slice(0, 64)}" appears twice in one object.`);
  seen?.add(key);
  if (seen && seen.size > keysPerObject) throw tooMuch(`holding an object of more than ${keysPerObject} properties`);
  return key;
}

function checkString(text: string, start: number, end: number, most: number): void {
  const value = plainText(text, start, end);
  if (value.length > most) throw tooMuch(`holding a string longer than ${most} characters`);
  checkText(value);
}

function checkText(value: string): void {
  if (value.includes("\u0000") || !value.isWellFormed()) {
    throw new ReeveError("invalid_encoding", "The body holds a NUL character or a lone surrogate.");
  }
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function checkNumber(text: string, start: number, rounds = false): number {
  NUMBER.lastIndex = start;
  const match = NUMBER.exec(text);
  if (!match) throw new ReeveError("invalid_json", "A number is not written as JSON numbers are.");
  const value = Number(match[0]);
  if (!Number.isFinite(value) || (!rounds && Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw new ReeveError("invalid_json", "A number is outside the range that can be kept exactly.");
  }
  return NUMBER.lastIndex;
}
