import { bearer, type HttpCase, httpCase, JSON_TYPE, type RawRequest } from "./case.js";
import type { Setting } from "./setting.js";

const ASSETS = "/api/v1/ai-assets";

const get = ({ owner }: Setting, target: string): RawRequest => ({ method: "GET", target, headers: [bearer(owner)] });
const post = ({ owner }: Setting, body: string | Uint8Array, type: string | null = JSON_TYPE[1]): RawRequest => ({
  method: "POST",
  target: ASSETS,
  headers: [bearer(owner), ...(type === null ? [] : [["Content-Type", type] as const])],
  body,
});

/** Requests that Express and Fastify treat differently, or badly, by default. */
export const probes: readonly HttpCase[] = [
  httpCase("a letter of the path escaped", (it) => get(it, "/%61pi/v1/ai-assets")),
  httpCase("a path in upper case", (it) => get(it, ASSETS.toUpperCase())),
  httpCase("a slash at the end", (it) => get(it, `${ASSETS}/`)),
  httpCase("an id of 101 characters", (it) => get(it, `${ASSETS}/${"a".repeat(101)}`)),
  httpCase("a NUL in an id", (it) => get(it, `${ASSETS}/ast%00x`)),
  { ...httpCase("invalid UTF-8 in an id", (it) => get(it, `${ASSETS}/%ff`)), brokenEscape: true },
  httpCase("TRACE", (it) => ({ ...get(it, ASSETS), method: "TRACE" })),
  httpCase("__proto__ in a body", (it) => post(it, '{"__proto__":{"polluted":true}}')),
  httpCase("an empty body that is called JSON", (it) => post(it, "")),
  httpCase("a body without a type", (it) => post(it, '{"name":"untyped"}', null)),
  httpCase("a body of 200 KB", (it) => post(it, `{"name":"large"${" ".repeat(200_000)}}`)),
  httpCase("UTF-16", (it) => post(it, Buffer.from('{"name":"x"}', "utf16le"), "application/json; charset=utf-16")),
  httpCase("invalid UTF-8 in a body", (it) => post(it, Buffer.from('{"name":"\xff"}', "latin1"))),
];

/** JSON too deep to serialise again: within the size limit of a body, and beyond it. */
export const depths: readonly HttpCase[] = [120_000, 1_000_000].flatMap((levels) => [
  httpCase(`${levels} levels of arrays`, (it) => post(it, "[".repeat(levels) + "]".repeat(levels))),
  httpCase(`${levels} levels of arrays that never end`, (it) => post(it, "[".repeat(levels))),
  httpCase(`${levels} levels of objects`, (it) => post(it, `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`)),
]);
