import { asOwner, bearer, type HttpCase, httpCase, JSON_TYPE, type RawRequest } from "../case.js";
import type { Setting } from "../setting.js";

const ASSETS = "/api/v1/ai-assets";
const LIMIT = 256 * 1_024;

/** A valid JSON object of exactly this many bytes. */
function jsonOf(bytes: number): string {
  const parts: string[] = [];
  let length = 2;
  for (let index = 0; length < bytes; index += 1) {
    const key = `"k${index}":""`;
    const left = bytes - length - (parts.length > 0 ? 1 : 0) - key.length;
    // The last string takes the rest. No string exceeds the limit of strings.
    const text = "a".repeat(Math.min(left > 61_000 ? 60_000 : left, left));
    parts.push(`"k${index}":"${text}"`);
    length += key.length + text.length + (parts.length > 1 ? 1 : 0);
  }
  return `{${parts.join(",")}}`;
}

function raw({ owner }: Setting, body: Uint8Array | string, chunked?: number): RawRequest {
  const request = { method: "POST", target: ASSETS, headers: [bearer(owner), JSON_TYPE], body };
  return chunked === undefined ? request : { ...request, chunked };
}

const bytes: readonly (readonly [name: string, body: Uint8Array | string])[] = [
  ["nothing, with a length of 0", ""],
  ["one space", " "],
  ["a line break", "\r\n"],
  ["an overlong NUL", Uint8Array.of(0x7b, 0xc0, 0x80, 0x7d)],
  ["a bare continuation byte", Uint8Array.of(0x7b, 0x22, 0x80, 0x22, 0x7d)],
  ["a cut character", Buffer.concat([Buffer.from('{"name":"'), Uint8Array.of(0xe2, 0x82), Buffer.from('"}')])],
  [
    "an encoded surrogate",
    Buffer.concat([Buffer.from('{"name":"'), Uint8Array.of(0xed, 0xa0, 0x80), Buffer.from('"}')]),
  ],
  [
    "a code point too high",
    Buffer.concat([Buffer.from('{"name":"'), Uint8Array.of(0xf4, 0x90, 0x80, 0x80), Buffer.from('"}')]),
  ],
  ["Latin-1", Buffer.from('{"name":"café"}', "latin1")],
  ["UTF-16 with a mark", Buffer.from('\ufeff{"name":"x"}', "utf16le")],
  ["UTF-16 without a mark", Buffer.from('{"name":"x"}', "utf16le")],
  ["UTF-32", Uint8Array.of(0x7b, 0, 0, 0, 0x7d, 0, 0, 0)],
  ["UTF-8 with a byte order mark", '\ufeff{"name":"x"}'],
  ["two byte order marks", '\ufeff\ufeff{"name":"x"}'],
  ["a NUL after the object", '{"name":"x"}\u0000'],
  ["only NULs", Buffer.alloc(1_000)],
  ["every byte there is", Uint8Array.from({ length: 256 }, (_, index) => index)],
  ["a form", "name=x&status=y"],
  ["a multipart form", '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--x--\r\n'],
  ["XML", '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'],
];

const sizes: readonly (readonly [name: string, size: number])[] = [
  ["64 KiB", 64 * 1_024],
  ["100 KiB, where body parsers stop", 100 * 1_024],
  ["100 KiB and one", 100 * 1_024 + 1],
  ["200 KiB", 200 * 1_024],
  ["one short of the limit", LIMIT - 1],
  ["the limit", LIMIT],
  ["one over the limit", LIMIT + 1],
  ["1 MiB, where body parsers stop", 1_024 * 1_024],
  ["1 MiB and one", 1_024 * 1_024 + 1],
  // More than the buffers of two sockets hold. A server that does not read it would reset the connection.
  ["4.2 MiB", 4_300 * 1_024],
];

export const bodyCases: readonly HttpCase[] = [
  ...bytes.map(([name, body]) => httpCase(`body: ${name}`, (it) => raw(it, body))),
  ...bytes.map(([name, body]) => httpCase(`body in chunks: ${name}`, (it) => raw(it, body, 3))),
  ...sizes.map(([name, size]) => httpCase(`body: ${name}`, (it) => raw(it, jsonOf(size)))),
  ...sizes.map(([name, size]) => httpCase(`body in chunks: ${name}`, (it) => raw(it, jsonOf(size), 16_384))),
  httpCase("body: none at all", (it) => ({ method: "POST", target: ASSETS, headers: [bearer(it.owner)] })),
  httpCase("body: none, but a type", (it) => ({
    method: "POST",
    target: ASSETS,
    headers: [bearer(it.owner), JSON_TYPE],
  })),
  httpCase("body: none where one is needed", (it) => ({
    method: "PATCH",
    target: `${ASSETS}/${it.assetId}/lifecycle`,
    headers: [bearer(it.owner)],
  })),
  httpCase("body: none to sign-in", () => ({ method: "POST", target: "/api/v1/auth/signin" })),
  httpCase("body: one byte a chunk", (it) => raw(it, '{"name":"drop by drop"}', 1)),
  httpCase("body: too large, nobody signed in", () => ({
    method: "POST",
    target: ASSETS,
    headers: [JSON_TYPE],
    body: jsonOf(LIMIT + 1),
  })),
  httpCase("body: too large, for no operation", (it) =>
    asOwner(it, "POST", "/api/v1/no-such-operation", { text: "a".repeat(LIMIT) }),
  ),
  httpCase("body: too large, for the host", () => ({
    method: "POST",
    target: "/users/42",
    headers: [["Content-Type", "application/octet-stream"]],
    body: "a".repeat(LIMIT + 1),
  })),
  httpCase("body: too large, of another type", (it) => ({
    method: "POST",
    target: ASSETS,
    headers: [bearer(it.owner), ["Content-Type", "text/plain"]],
    body: "a".repeat(LIMIT + 1),
  })),
  httpCase("body: expecting 100-continue", (it) =>
    asOwner(it, "POST", ASSETS, { name: "asked first" }, [["Expect", "100-continue"]]),
  ),
];
