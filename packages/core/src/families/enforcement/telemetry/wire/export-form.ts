import { decodeText } from "#kernel/http/body.js";
import type { BodyForm } from "#kernel/http/body-form.js";
import { ReeveError } from "#kernel/http/errors.js";
import { guardJson, type JsonObject } from "#kernel/http/json-guard.js";
import { yieldToEventLoop } from "#store/event-loop.js";
import { mayPass } from "../read/allowed-attributes.js";
import { EXPORTS, type Signal } from "./message-fields.js";
import { readProtobuf } from "./read-protobuf.js";

export const PROTOBUF = "application/x-protobuf";
const JSON_MEDIA = "application/json";

/** Prompts and answers that are sent and dropped count too. */
const BYTES = { sent: 2 * 1024 * 1024, unpacked: 4 * 1024 * 1024 };
const JSON_LIMITS = {
  ...{ depth: 64, nodes: 500_000, keysPerObject: 1_000, stringLength: BYTES.unpacked, keyLength: 1_000 },
  roundsIntegers: true,
} as const;

/** Exports of one signal over HTTP, by the protocol of OpenTelemetry. */
export const exportForm = (signal: Signal): BodyForm => ({
  media: [PROTOBUF, JSON_MEDIA],
  bytes: BYTES,
  async read(bytes, media) {
    const body = media === PROTOBUF ? await readProtobuf(bytes, EXPORTS[signal], mayPass) : await readJson(bytes);
    return { ...body, media };
  },
});

async function readJson(bytes: Uint8Array): Promise<JsonObject> {
  if (bytes.length === 0) return {};
  const text = decodeText(bytes);
  guardJson(text, JSON_LIMITS);
  // Each of the two takes a while, where the text is long.
  await yieldToEventLoop();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ReeveError("invalid_json", undefined, { cause });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new ReeveError("invalid_json", "The body must be a JSON object.");
}
