import { gzipSync } from "node:zlib";
import { bearer, type Header, type HttpCase, httpCase, JSON_TYPE } from "../case.js";
import type { Setting } from "../setting.js";

const PROTOBUF: Header = ["Content-Type", "application/x-protobuf"];
const GZIP: Header = ["Content-Encoding", "gzip"];
/** A message without fields that are known. */
const MESSAGE = Uint8Array.of(0x0a, 0x00);

const send = ({ owner }: Setting, headers: readonly Header[], body: Uint8Array | string, chunked?: number) => {
  const request = { method: "POST", target: "/api/v1/otlp/v1/logs", headers: [bearer(owner), ...headers], body };
  return chunked === undefined ? request : { ...request, chunked };
};

/** Exports of OpenTelemetry, which are bytes of other media types. Their sender is no installation, and may not send them. */
export const exportCases: readonly HttpCase[] = [
  httpCase("export: protobuf", (it) => send(it, [PROTOBUF], MESSAGE)),
  httpCase("export: protobuf in chunks", (it) => send(it, [PROTOBUF], MESSAGE, 1)),
  httpCase("export: no bytes at all", (it) => send(it, [PROTOBUF], "")),
  httpCase("export: protobuf, packed", (it) => send(it, [PROTOBUF, GZIP], gzipSync(MESSAGE))),
  httpCase("export: broken protobuf", (it) => send(it, [PROTOBUF], Uint8Array.of(0x0a, 0x7f, 0x01))),
  httpCase("export: not packed as it says", (it) => send(it, [PROTOBUF, GZIP], gzipSync(MESSAGE).subarray(0, 12))),
  httpCase("export: packed beyond the limit", (it) => send(it, [PROTOBUF, GZIP], gzipSync(Buffer.alloc(8_000_000)))),
  httpCase("export: beyond the limit", (it) => send(it, [PROTOBUF], Buffer.alloc(2 * 1_024 * 1_024 + 1))),
  httpCase("export: JSON", (it) => send(it, [JSON_TYPE], '{"resourceLogs":[]}')),
  httpCase("export: JSON, packed", (it) => send(it, [JSON_TYPE, GZIP], gzipSync('{"resourceLogs":[]}'))),
  httpCase("export: JSON that is none", (it) => send(it, [JSON_TYPE], "{")),
  httpCase("export: another media type", (it) => send(it, [["Content-Type", "text/plain"]], "x")),
  httpCase("export: nobody's", () => ({
    ...{ method: "POST", target: "/api/v1/otlp/v1/traces", headers: [PROTOBUF], body: MESSAGE },
  })),
];
