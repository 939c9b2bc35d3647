import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { bearer, type Header, type HttpCase, httpCase, JSON_TYPE } from "../case.js";

const JSON_TEXT = '{"name":"of some media type"}';

const types = [
  "application/json",
  "Application/JSON",
  "application/json;charset=utf-8",
  "application/json; charset=UTF-8",
  'application/json; charset="utf-8"',
  "application/json; charset=utf8",
  "application/json; charset=utf-16",
  "application/json; charset=utf-16le",
  "application/json; charset=iso-8859-1",
  "application/json; charset=us-ascii",
  "application/json; charset=",
  "application/json; charset=utf-7",
  "application/json; charset=utf-8; charset=utf-16",
  "application/json; version=1",
  "application/json;",
  "application/json, text/plain",
  "application/merge-patch+json",
  "application/vnd.reeve.asset+json",
  "application/problem+json; charset=utf-8",
  "application/jsonx",
  "application/x-json",
  "application/+json",
  "text/json",
  "text/plain",
  "text/html",
  "text/xml",
  "application/xml",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/x-ndjson",
  "json",
  "/",
  "*/*",
  "",
  ";",
];

const encodings: readonly (readonly [name: string, body: Uint8Array | string])[] = [
  ["gzip", gzipSync(JSON_TEXT)],
  ["deflate", deflateSync(JSON_TEXT)],
  ["br", brotliCompressSync(JSON_TEXT)],
  ["zstd", JSON_TEXT],
  ["compress", JSON_TEXT],
  ["gzip, gzip", gzipSync(gzipSync(JSON_TEXT))],
  ["identity", JSON_TEXT],
  ["Identity", JSON_TEXT],
  ["", JSON_TEXT],
  ["x-unknown", JSON_TEXT],
];

const post = (token: string, headers: readonly Header[], body: Uint8Array | string = JSON_TEXT) => ({
  method: "POST",
  target: "/api/v1/ai-assets",
  headers: [bearer(token), ...headers],
  body,
});

export const mediaCases: readonly HttpCase[] = [
  ...types.map((type) => httpCase(`media type: ${type}`, (it) => post(it.owner, [["Content-Type", type]]))),
  httpCase("media type: none", (it) => post(it.owner, [])),
  httpCase("media type: none, and no JSON", (it) => post(it.owner, [], "name=x")),
  httpCase("media type: sent twice", (it) => post(it.owner, [JSON_TYPE, JSON_TYPE])),
  httpCase("media type: two of them", (it) => post(it.owner, [JSON_TYPE, ["Content-Type", "text/plain"]])),
  ...encodings.map(([name, body]) =>
    httpCase(`content encoding: ${name}`, (it) => post(it.owner, [JSON_TYPE, ["Content-Encoding", name]], body)),
  ),
  httpCase("content encoding: a bomb", (it) =>
    post(it.owner, [JSON_TYPE, ["Content-Encoding", "gzip"]], gzipSync(Buffer.alloc(20_000_000, 0x20))),
  ),
  httpCase("content encoding: gzip that is none", (it) =>
    post(it.owner, [JSON_TYPE, ["Content-Encoding", "gzip"]], "not compressed"),
  ),
  httpCase("content encoding: undeclared gzip", (it) => post(it.owner, [JSON_TYPE], gzipSync(JSON_TEXT))),
  httpCase("Accept: something else", (it) => ({
    method: "GET",
    target: "/api/v1/ai-assets",
    headers: [bearer(it.owner), ["Accept", "text/html"], ["Accept-Encoding", "gzip, br"]],
  })),
];
