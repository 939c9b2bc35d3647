import type { PbfReader } from "pbf";
import { ReeveError } from "#kernel/http/errors.js";
import type { JsonObject } from "#kernel/http/json-guard.js";
import { inTurns } from "#store/event-loop.js";
import { ATTRIBUTE, type Field, type Fields } from "./message-fields.js";

let library: typeof import("pbf") | undefined;

/** The library of protobuf, which is loaded when the first message arrives. */
export async function loadProtobuf(): Promise<typeof import("pbf")> {
  library ??= await import("pbf");
  return library;
}

/** Which attributes are read with their values. Of all others the key alone is read, so that they can be counted. */
export type Passes = (key: string) => boolean;

/** A message in the form that the protocol has in JSON, with the named fields only. 400 for bytes that are no such message. */
export async function readProtobuf(bytes: Uint8Array, fields: Fields, passes: Passes): Promise<JsonObject> {
  const { PbfReader } = await loadProtobuf();
  const reader = new PbfReader(bytes);
  try {
    return await inTurns(messageIn(reader, reader.length, fields, passes));
  } catch (cause) {
    if (ReeveError.is(cause)) throw cause;
    throw broken(cause);
  }
}

const broken = (cause?: unknown) =>
  new ReeveError("invalid_request", "The body is no message of this kind in protobuf.", { cause });

function* messageIn(reader: PbfReader, end: number, fields: Fields, passes: Passes): Generator<void, JsonObject> {
  const read: JsonObject = {};
  for (let number = reader.nextField(end); number > 0; number = reader.nextField(end)) {
    const field = fields[number];
    if (!field) skip(reader, end);
    else if (field.is === "attributes") push(read, field.name, attributeIn(reader, end, passes));
    else if (field.is !== "message") read[field.name] = valueIn(reader, end, field);
    else {
      const inner = yield* messageIn(reader, endOf(reader, end), field.of ?? {}, passes);
      if (field.many) push(read, field.name, inner);
      else read[field.name] = inner;
      yield;
    }
    if (reader.pos > end) throw broken();
  }
  if (reader.pos !== end) throw broken();
  return read;
}

function push(read: JsonObject, name: string, value: unknown): void {
  const list = (read[name] ?? []) as unknown[];
  list.push(value);
  read[name] = list;
}

function skip(reader: PbfReader, end: number): void {
  reader.skip(reader.type);
  if (reader.pos > end) throw broken();
}

/** The end of what has a length, which must lie within what holds it. */
function endOf(reader: PbfReader, outer: number): number {
  if (reader.type !== 2) throw broken();
  const end = reader.readVarint() + reader.pos;
  if (!(end <= outer)) throw broken();
  return end;
}

function bytesIn(reader: PbfReader, outer: number): Uint8Array {
  const end = endOf(reader, outer);
  const bytes = reader.buf.subarray(reader.pos, end);
  reader.pos = end;
  return bytes;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function valueIn(reader: PbfReader, end: number, { is }: Field): unknown {
  if (is === "string") return utf8.decode(bytesIn(reader, end));
  if (is === "id") return Buffer.from(bytesIn(reader, end)).toString("hex");
  if (is === "nanos") return nanosIn(reader);
  if (reader.type !== 0) throw broken();
  return reader.readVarint(true);
}

/** As a text, because a number would be rounded. */
function nanosIn(reader: PbfReader): string {
  if (reader.type !== 1) throw broken();
  const nanos = reader.dataView.getBigUint64(reader.pos, true);
  reader.pos += 8;
  return String(nanos);
}

function attributeIn(reader: PbfReader, outer: number, passes: Passes): JsonObject {
  const end = endOf(reader, outer);
  let key = "";
  let value: JsonObject | undefined;
  for (let number = reader.nextField(end); number > 0; number = reader.nextField(end)) {
    if (number === ATTRIBUTE.key) key = utf8.decode(bytesIn(reader, end));
    else if (number === ATTRIBUTE.value && passes(key)) value = scalarIn(reader, end);
    else skip(reader, end);
  }
  if (reader.pos !== end) throw broken();
  return value ? { key, value } : { key };
}

function scalarIn(reader: PbfReader, outer: number): JsonObject {
  const end = endOf(reader, outer);
  let value: JsonObject = {};
  for (let number = reader.nextField(end); number > 0; number = reader.nextField(end)) {
    if (number === ATTRIBUTE.text) value = { stringValue: utf8.decode(bytesIn(reader, end)) };
    else if (number === ATTRIBUTE.truth) value = { boolValue: reader.readBoolean() };
    else if (number === ATTRIBUTE.integer) value = { intValue: reader.readVarint(true) };
    else if (number === ATTRIBUTE.number) value = { doubleValue: reader.readDouble() };
    else skip(reader, end);
  }
  if (reader.pos !== end) throw broken();
  return value;
}
