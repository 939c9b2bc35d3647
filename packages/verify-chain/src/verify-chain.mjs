#!/usr/bin/env node
// Verifies an export of Reeve's event chain. One file that needs only Node, so that it can be reviewed in an hour and
// kept beside the exports.

import { isUtf8 } from "node:buffer";
import { createHash, createHmac, createPublicKey, hash, verify } from "node:crypto";
import { createReadStream, readFileSync, realpathSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const GENESIS = "0".repeat(64);
/** Events carry the time at which their request began, and follow each other within less than this, in milliseconds. */
const DISORDER = 60 * 60 * 1000;
const LONGEST_LINE = 64 * 1024 * 1024;
/** The most events that one checkpoint covers. */
const COVERED = 10_000;
/** Levels of the tree over the lists of events. */
export const DEPTH = 64;
export const EMPTY = Buffer.alloc(32);
const sha256 = (/** @type {string} */ text) => hash("sha256", text, "hex");
const digest = (/** @type {Buffer[]} */ ...parts) => hash("sha256", Buffer.concat(parts), "buffer");
export const leafHash = (/** @type {Buffer} */ bytes) => digest(Buffer.of(0), bytes);
export const nodeHash = (/** @type {Buffer} */ left, /** @type {Buffer} */ right) => digest(Buffer.of(1), left, right);

export class Fault extends Error {}

/**
 * @typedef {{ format: "reeve-checkpoint/1", chainid: string, fromSeq: number, toSeq: number, headHash: string,
 *   merkleRoot: string, index?: { root: string, firstTime: string, lastTime: string },
 *   history?: { size: number, root: string }, at: string, signature?: { alg: "Ed25519", kid: string, value: string } }} Checkpoint
 * @typedef {object} Options
 * @property {readonly Checkpoint[]} [checkpoints] kept elsewhere: the export has to agree with them
 * @property {import("node:crypto").KeyObject} [key] every checkpoint has to be signed by its owner; there has to be one
 * @property {boolean} [noTrailer] accept an export without its last line
 * @property {(events: number) => void} [onProgress] called every hundred thousand events
 * @typedef {object} Report
 * @property {boolean} valid
 * @property {number} events
 * @property {number} erased number of events without their data
 * @property {number} after the sequence before its first event
 * @property {number} to the last sequence
 * @property {string} headHash hash of the last event
 * @property {boolean} tied whether the start of the chain or a checkpoint confirms its first event
 * @property {number} checkpoints number of checkpoints that agree with it
 * @property {number | null} signedTo the last event that a signature by the key reaches; null for none, or without a key
 * @property {boolean | null} complete whether it claims to reach the end; only a later checkpoint can prove that
 * @property {Slice & { events: number, erased: number, covered: boolean } | null} slice what it shows of one subject: how many
 *   events name it in that time, how many of these are without their data, and whether the file reaches over all of that time;
 *   null for an export of everything
 * @property {{ line: number, sequence: number, reason: string } | null} fault the first fault
 * @typedef {object} Slice
 * @property {readonly string[]} ids ids of the subject
 * @property {string} [from] the first moment, RFC 3339 UTC
 * @property {string} [before] the moment behind the last one
 */

/**
 * JSON in the canonical form of RFC 8785.
 * @param {unknown} value @returns {string}
 */
export function canonical(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const entries = Object.keys(value).sort();
  const record = /** @type {Record<string, unknown>} */ (value);
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(record[key])}`).join(",")}}`;
}

/** A growing tree of RFC 9162, as its complete subtrees from the largest on. */
class Tree {
  size = 0;
  #peaks = /** @type {Buffer[]} */ ([]);

  /** @param {Buffer} leaf */
  add(leaf) {
    let node = leafHash(leaf);
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2)
      node = nodeHash(/** @type {Buffer} */ (this.#peaks.pop()), node);
    this.#peaks.push(node);
    this.size += 1;
  }

  root() {
    const [last = hash("sha256", "", "buffer"), ...others] = [...this.#peaks].reverse();
    return others.reduce((right, left) => nodeHash(left, right), last).toString("hex");
  }
}

/** Where a key stands in the tree over the lists of events. @param {string} headHash @param {string} key */
export function positionOf(headHash, key) {
  return hash("sha256", `reeve-index/1\n${headHash}\n${key}`, "buffer");
}

/** Which side a position goes to at a level: 0 is left. @param {Buffer} position @param {number} depth */
export const sideOf = (position, depth) => (position.readUInt8(depth >> 3) >> (7 - (depth & 7))) & 1;

/** The root over leaves in the order of their positions. @param {{ position: Buffer, hash: Buffer }[]} leaves @param {number} [depth] @returns {Buffer} */
function rootOfLists(leaves, depth = 0) {
  const [first, ...others] = leaves;
  if (!first) return EMPTY;
  if (others.length > 0) {
    const at = leaves.findIndex(({ position }) => sideOf(position, depth) === 1);
    const split = at < 0 ? leaves.length : at;
    return nodeHash(rootOfLists(leaves.slice(0, split), depth + 1), rootOfLists(leaves.slice(split), depth + 1));
  }
  let node = first.hash;
  for (let level = DEPTH - 1; level >= depth; level--)
    node = sideOf(first.position, level) === 0 ? nodeHash(node, EMPTY) : nodeHash(EMPTY, node);
  return node;
}

/** The events behind a checkpoint, of which the next one is computed again. */
class Covered {
  #tree = new Tree();
  #lists = /** @type {Map<string, string[]>} */ (new Map());
  #secret = createHash("sha256");
  #times = { firstTime: "", lastTime: "" };

  /** @param {number} after the sequence before the first of them */
  constructor(after) {
    this.after = after;
  }

  get count() {
    return this.#tree.size;
  }

  /** @param {Readonly<Record<string, unknown>>} attributes @param {string} sequence @param {string} record @param {string} eventhash */
  add({ subject, related, authid, subjecttype, type, time }, sequence, record, eventhash) {
    this.#tree.add(Buffer.from(eventhash, "hex"));
    this.#secret.update(record, "hex");
    this.#times = { firstTime: this.#times.firstTime || String(time), lastTime: String(time) };
    const subjects = new Set([subject, ...(related === undefined ? [] : String(related).split(" "))]);
    const keys = [[...subjects].map((id) => `subject:${id}`), `actor:${authid}`, `kind:${subjecttype}`, `type:${type}`];
    for (const key of keys.flat()) {
      const list = this.#lists.get(key);
      if (list) list.push(`${sequence} ${record}`);
      else this.#lists.set(key, [`${sequence} ${record}`]);
    }
  }

  /** What a checkpoint says of them that they do not. @param {Checkpoint} checkpoint */
  fault({ merkleRoot, index, headHash }) {
    if (merkleRoot !== this.#tree.root()) return "merkleRoot";
    if (!index) return undefined;
    const secret = this.#secret.copy().digest();
    const leaves = [...this.#lists].map(([key, events]) => {
      const position = positionOf(headHash, key);
      const at = position.toString("hex");
      const lines = events.map((event) => `${event.slice(0, -65)} ${sha256([at, ...event.split(" ")].join("\n"))}`);
      const blind = createHmac("sha256", secret).update(position).digest("hex");
      return { position, hash: leafHash(Buffer.from([at, blind, ...lines].join("\n"))) };
    });
    const root = rootOfLists(leaves.sort((a, b) => a.position.compare(b.position))).toString("hex");
    return canonical(index) === canonical({ root, ...this.#times }) ? undefined : "index";
  }
}

/** The state of one verification. */
class Verification {
  line = 0;
  /** The sequence being verified. */
  at = 1;
  events = 0;
  erased = 0;
  after = 0;
  to = 0;
  headHash = GENESIS;
  tied = false;
  agreed = 0;
  signedTo = /** @type {number | null} */ (null);
  complete = /** @type {boolean | null} */ (null);
  slice = /** @type {Report["slice"]} */ (null);
  #begun = false;
  #covered = /** @type {Covered | null} */ (null);
  /** All checkpoints so far; `null` where the first ones are not here. */
  #history = /** @type {Tree | null} */ (new Tree());
  #last = /** @type {Checkpoint | null} */ (null);
  /** Whether the first event's position is known. */
  #placed = false;
  #content = createHash("sha256");
  /** What the parts so far are a slice of. */
  #asked = /** @type {Slice | null} */ (null);
  /** When the first and the last event of a slice were, in milliseconds since the epoch. */
  #span = { first: /** @type {number | undefined} */ (undefined), last: 0 };
  #part = { after: 0, events: 0, bytes: false, sliced: false };

  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.kept = options.checkpoints ?? [];
  }

  /** @param {Buffer} bytes a line without its end */
  take(bytes) {
    this.line += 1;
    this.at = this.to + 1;
    if (!isUtf8(bytes)) throw new Fault("is not UTF-8");
    const text = bytes.toString("utf8");
    const value = parsed(text);
    if (isRecord(value.trailer) && value.specversion === undefined) return this.#trailer(value.trailer);
    const isFirst = !this.#part.bytes;
    this.#content.update(bytes).update("\n");
    this.#part.bytes = true;
    if (isRecord(value.slice) && value.specversion === undefined) this.#takeSlice(value.slice, isFirst);
    else if (isRecord(value.checkpoint) && value.specversion === undefined) {
      this.#checkpoint(/** @type {Checkpoint} */ (/** @type {unknown} */ (value.checkpoint)));
    } else this.#event(text, value);
  }

  end() {
    this.at = this.to + 1;
    if (this.slice) this.slice.covered = this.#covers(this.slice);
    if (!this.#begun && !this.#placed && this.complete === null) throw new Fault("there is nothing in it");
    if (this.#part.bytes && !this.options.noTrailer) throw new Fault("the trailer is missing: the file was cut off");
    for (const checkpoint of this.kept) this.#requireSigned(checkpoint);
    const beyond = this.kept.find(({ toSeq }) => toSeq > this.to);
    if (beyond) throw new Fault(`the end is missing: a checkpoint of ${beyond.at} knows ${beyond.toSeq} events`);
    // "Every checkpoint is signed" holds where all were taken out, so one has to reach an event of it.
    if (this.options.key && (this.signedTo === null || (this.events > 0 && this.signedTo <= this.after)))
      throw new Fault("no checkpoint here is signed by that key, so no signature reaches an event of it");
    if (this.#begun || this.tied) return;
    if (this.kept.some(({ toSeq }) => toSeq === this.to))
      throw new Fault("it names no event for the checkpoint of its place");
    this.agreed = 0; // One that stands alone agrees with nothing but itself.
  }

  /** @param {Record<string, unknown>} slice @param {boolean} isFirst whether it is the first line of its part */
  #takeSlice({ ids, from, before }, isFirst) {
    const isText = (/** @type {unknown} */ value) => typeof value === "string";
    const isMoment = (/** @type {unknown} */ value) => value === undefined || isText(value);
    if (!Array.isArray(ids) || !ids.every(isText) || !isMoment(from) || !isMoment(before) || !isFirst)
      throw new Fault("is not a slice as an export writes it");
    const slice = /** @type {Slice} */ ({ ids, ...(from ? { from } : {}), ...(before ? { before } : {}) });
    if (this.#asked ? canonical(slice) !== canonical(this.#asked) : this.#begun)
      throw new Fault("is a slice of something else than the part before");
    this.#asked = slice;
    this.slice ??= { ...slice, events: 0, erased: 0, covered: false };
    this.#part.sliced = true;
  }

  /** Counts an event that the slice has to show. @param {Record<string, unknown>} attributes @param {boolean} isErased */
  #countShown({ subject, related, time }, isErased) {
    if (!this.slice) return;
    const { ids, from = "", before } = this.slice;
    this.#span.first ??= Date.parse(String(time));
    this.#span.last = Date.parse(String(time));
    const named = [String(subject), ...String(related ?? "").split(" ")];
    if (!named.some((id) => ids.includes(id)) || String(time) < from) return;
    if (before !== undefined && String(time) >= before) return;
    this.slice.events += 1;
    if (isErased) this.slice.erased += 1;
  }

  /** Whether events before and behind a span stand here, or the ends of the chain. @param {Slice} slice */
  #covers({ from, before }) {
    const { first = Number.POSITIVE_INFINITY, last } = this.#span;
    const begins = this.after === 0 || (from !== undefined && first < Date.parse(from) - DISORDER);
    return begins && (this.complete === true || (before !== undefined && last >= Date.parse(before) + DISORDER));
  }

  /** Compares with what is kept of this place. */
  #compareKept() {
    const kept = this.kept.filter(({ toSeq }) => toSeq === this.to);
    for (const checkpoint of kept) this.#compare(checkpoint);
    if (kept.length > 0 && this.events === 0) this.tied = true;
  }

  /** @param {string} text @param {Record<string, unknown>} value */
  #event(text, value) {
    const { data, sequence, prevhash, eventhash, ...attributes } = value;
    if (typeof sequence !== "string" || !/^\d{12,16}$/.test(sequence))
      throw new Fault("is no event, checkpoint or trailer");
    const number = Number(sequence);
    if (!this.#begun) this.#begin(number, String(prevhash));
    if (number !== this.to + 1) throw new Fault(`event ${this.to + 1} is missing: here is ${number}`);
    const record = canonical(attributes);
    const content = canonical(data);
    const place = `"sequence":${canonical(sequence)},"prevhash":${canonical(prevhash)},"eventhash":${canonical(eventhash)}`;
    if (text !== `${record.slice(0, -1)},"data":${content},${place}}`)
      throw new Fault("is not as an export writes it: other spaces or order, or a property twice");
    if (prevhash !== this.headHash) throw new Fault("does not link to the event before");
    if (eventhash !== sha256(`${prevhash}\n${sequence}\n${sha256(record)}`))
      throw new Fault("its attributes were changed");
    if (data !== null && sha256(content) !== attributes.datahash) throw new Fault("its data was changed");
    if (this.events === 0 || this.#last?.toSeq === this.to) this.#covered = new Covered(this.to);
    this.#covered?.add(attributes, sequence, sha256(record), eventhash);
    // No checkpoint covers more, so that memory stays bounded.
    if (this.#covered && this.#covered.count > COVERED) this.#covered = null;
    this.to = number;
    this.headHash = eventhash;
    this.events += 1;
    this.#part.events += 1;
    if (data === null) this.erased += 1;
    this.#countShown(attributes, data === null);
    this.complete = null;
    this.#compareKept();
    if (this.events % 100_000 === 0) this.options.onProgress?.(this.events);
  }

  /** @param {number} first @param {string} prevhash */
  #begin(first, prevhash) {
    this.#begun = true;
    this.at = first;
    if (first === 1) this.tied = true;
    else if (!this.#placed) [this.after, this.to, this.headHash] = [first - 1, first - 1, prevhash];
    this.#part.after = this.after;
    if (!this.#placed) this.#compareKept();
  }

  /** @param {Checkpoint} checkpoint */
  #checkpoint(checkpoint) {
    if (!this.#begun && !this.#placed) {
      [this.after, this.to, this.headHash] = [checkpoint.toSeq, checkpoint.toSeq, checkpoint.headHash];
      this.#part.after = this.after;
      this.#placed = true;
      // A checkpoint inside the export confirms nothing unless it is signed.
      this.tied = this.options.key !== undefined;
      this.#compareKept();
    }
    this.at = this.to;
    if (checkpoint.toSeq !== this.to) throw new Fault(`is a checkpoint of ${checkpoint.toSeq}, not of ${this.to}`);
    this.#compare(checkpoint);
    this.#keep(checkpoint);
  }

  /** Takes a checkpoint of the export into the history. A part begins with the one that the part before ended with. @param {Checkpoint} checkpoint */
  #keep(checkpoint) {
    const { signature: _, ...content } = checkpoint;
    const before = this.#last;
    if (before?.toSeq === checkpoint.toSeq) {
      if (canonical(before) !== canonical(checkpoint)) throw new Fault("is another checkpoint than the one before it");
      return;
    }
    const follows = checkpoint.fromSeq === (before?.toSeq ?? 0) + 1;
    const { size } = before?.history ?? {};
    if (before && !follows) throw new Fault("its checkpoint does not follow the one before");
    if (size !== undefined && checkpoint.history?.size !== size + 1)
      throw new Fault(`the checkpoint of ${checkpoint.at} has another history than the checkpoints before it`);
    if (!follows) this.#history = null;
    this.#history?.add(Buffer.from(canonical(content)));
    this.#last = checkpoint;
  }

  /** Computes again what a checkpoint says of its events and of those before, where all of them are here. @param {Checkpoint} checkpoint */
  #compute(checkpoint) {
    const { fromSeq, toSeq, history, at } = checkpoint;
    const wrong = this.#covered?.after === fromSeq - 1 ? this.#covered.fault(checkpoint) : undefined;
    if (wrong !== undefined) throw new Fault(`the checkpoint of ${at} has another ${wrong} than its events`);
    const isNext = fromSeq === (this.#last?.toSeq ?? 0) + 1 && toSeq !== this.#last?.toSeq;
    const [known, said] = [this.#history, history];
    if (known && said && isNext && (said.size !== known.size || said.root !== known.root()))
      throw new Fault(`the checkpoint of ${at} has another history than the checkpoints before it`);
  }

  /** @param {Checkpoint} checkpoint */
  #compare(checkpoint) {
    if (checkpoint.headHash !== this.headHash)
      throw new Fault(`a checkpoint of ${checkpoint.at} knows another event ${checkpoint.toSeq}`);
    this.#requireSigned(checkpoint);
    this.#compute(checkpoint);
    this.agreed += 1;
    if (this.options.key) this.signedTo = this.to;
  }

  /** @param {Checkpoint} checkpoint */
  #requireSigned(checkpoint) {
    const { key } = this.options;
    if (checkpoint.format !== "reeve-checkpoint/1") throw new Fault("is a checkpoint of a kind not known here");
    if (!key) return;
    const { signature, ...content } = checkpoint;
    const value = Buffer.from(String(signature?.value), "base64url");
    if (signature?.alg !== "Ed25519" || !verify(null, Buffer.from(canonical(content)), key, value))
      throw new Fault(`the checkpoint of ${checkpoint.at} is not signed by that key`);
  }

  /** @param {Record<string, unknown>} trailer */
  #trailer(trailer) {
    if (trailer.format !== "reeve-events/1") throw new Fault("is a trailer of a kind not known here");
    if (!this.#begun && !this.#placed) {
      this.after = this.to = this.#part.after = Number(trailer.after);
      // Behind no event an export names no head.
      this.#placed = this.to > 0 && trailer.headHash !== GENESIS;
      if (this.#placed) this.headHash = String(trailer.headHash);
      if (this.#placed) this.#compareKept();
    }
    if (this.slice && !this.#part.sliced) throw new Fault("ends a part that is no slice, behind one that is");
    const { after, events } = this.#part;
    const found = { sha256: this.#content.digest("hex"), events, to: this.to, after };
    for (const [name, value] of Object.entries(found))
      if (trailer[name] !== value) throw new Fault(`the trailer says another ${name}: lines before it were changed`);
    if (this.#begun && trailer.headHash !== this.headHash) throw new Fault("the trailer says another headHash");
    this.complete = trailer.complete === true;
    this.#content = createHash("sha256");
    this.#part = { after: this.to, events: 0, bytes: false, sliced: false };
  }
}

/** @param {string} text @returns {Record<string, unknown>} */
export function parsed(text) {
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault("is not JSON");
  }
  if (!isRecord(value)) throw new Fault("is not a JSON object");
  return value;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Splits at line feeds only. @param {AsyncIterable<Buffer> | Iterable<Buffer>} chunks */
export async function* linesOf(chunks) {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = chunk.subarray(start, end);
      yield rest.length > 0 ? Buffer.concat([rest, line]) : line;
      if (rest.length > 0) rest = Buffer.alloc(0);
      start = end + 1;
    }
    if (start < chunk.length) rest = Buffer.concat([rest, chunk.subarray(start)]);
    if (rest.length > LONGEST_LINE) throw new Fault("is longer than any line of an export");
  }
  if (rest.length > 0) yield rest;
}

/**
 * Verifies an export in bounded memory, from its bytes in chunks of any size.
 * @param {AsyncIterable<Buffer> | Iterable<Buffer>} chunks @param {Options} [options] @returns {Promise<Report>}
 */
export async function verifyExport(chunks, options = {}) {
  const state = new Verification(options);
  let fault = /** @type {Report["fault"]} */ (null);
  try {
    for await (const line of linesOf(chunks)) state.take(line);
    state.end();
  } catch (error) {
    // A line too deep for the stack is not from an export.
    if (!(error instanceof Fault || error instanceof RangeError)) throw error;
    fault = { line: state.line, sequence: state.at, reason: error.message };
  }
  const { agreed: checkpoints, events, erased, after, to, headHash, tied, signedTo, complete, slice } = state;
  const chain = { events, erased, after, to, headHash, tied, checkpoints, signedTo, complete };
  return { valid: fault === null, ...chain, slice, fault };
}

/**
 * Parses checkpoints: as passed to `anchor`, as listed by the API, or one per line. Throws for anything else and for none.
 * @param {string} text @returns {Checkpoint[]}
 */
export function checkpointsIn(text) {
  /** @type {unknown[]} */
  let values;
  try {
    values = [JSON.parse(text)].flat();
  } catch {
    values = (text.match(/^.*\S.*$/gm) ?? []).map((line) => JSON.parse(line));
  }
  const found = values
    .flatMap((value) => (isRecord(value) && Array.isArray(value.items) ? value.items : [value]))
    .map((value) => (isRecord(value) && isRecord(value.checkpoint) ? value.checkpoint : value));
  if (found.length === 0) throw new Error("there are no checkpoints");
  if (!found.every(isCheckpoint)) throw new Error("there is something other than checkpoints (reeve-checkpoint/1)");
  return found;
}

const isCheckpoint = (/** @type {any} */ value) =>
  value?.format === "reeve-checkpoint/1" && typeof value.headHash === "string" && Number.isSafeInteger(value.toSeq);

const USAGE = `Usage: reeve-verify-chain [options] <export.jsonl | ->
       reeve-verify-chain slice --help   for a slice of the chain
Verifies an export of Reeve's event chain; - reads standard input.
  --checkpoint <file>  checkpoints kept elsewhere that the export must agree with; may be given more than once
  --key <file>         Ed25519 public key (PEM) that every checkpoint must be signed by; one has to be there
  --no-trailer         accept events without the trailer of an export
  --json               print the report as JSON
  --quiet              no progress on standard error

Exit code: 0 valid, 1 not valid, 2 not verified (wrong usage, or a file that cannot be read).
`;

/** @param {string[]} argv @returns {Promise<number>} the exit code */
export async function main(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      checkpoint: { type: "string", multiple: true, default: [] },
      key: { type: "string" },
      "no-trailer": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      quiet: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const [file] = positionals;
  if (values.help || file === undefined || positionals.length > 1) {
    (values.help ? process.stdout : process.stderr).write(USAGE);
    return values.help ? 0 : 2;
  }
  const checkpoints = values.checkpoint.flatMap((path) => checkpointsIn(readFileSync(path, "utf8")));
  const key = values.key === undefined ? {} : { key: createPublicKey(readFileSync(values.key)) };
  const source = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: 1024 * 1024 });
  const onProgress = (/** @type {number} */ events) => {
    const part = file === "-" ? "" : `, ${Math.floor((100 * source.bytesRead) / statSync(file).size)} %`;
    process.stderr.write(`${events} events${part}\n`);
  };
  const options = { checkpoints, noTrailer: values["no-trailer"], ...key, ...(values.quiet ? {} : { onProgress }) };
  const report = await verifyExport(source, options);
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : told(report));
  return report.valid ? 0 : 1;
}

/** @param {Report} report */
function told({ valid, events, erased, after, to, headHash, tied, checkpoints, signedTo, complete, slice, fault }) {
  if (!valid) return `NOT VALID: line ${fault?.line}, event ${fault?.sequence}: ${fault?.reason}\n`;
  return [
    `valid: ${events} events, ${after + 1} to ${to}, data of ${erased} erased or withheld, ${checkpoints} checkpoints agree`,
    ...(slice ? [toldSlice(slice)] : []),
    `head: ${headHash}`,
    `signed: ${signedTo === null ? "not checked; give the key by --key" : `to event ${signedTo}; the ${to - signedTo} behind it are not`}`,
    ...(tied ? [] : [`It begins behind event ${after}, and nothing here vouches for that: give the checkpoint of it.`]),
    ...(complete ? [] : ["It does not reach the end of the chain."]),
    "",
  ].join("\n");
}

/** @param {NonNullable<Report["slice"]>} slice */
function toldSlice({ ids, from = "the beginning", before = "the end", events, erased, covered }) {
  const those = `${events} of these events name ${ids.join(" or ")}, from ${from} to ${before}`;
  const whole = covered ? "none of that time is missing" : "NOT all of that time is in this file";
  return `slice: ${those}; data of ${erased} of them erased or withheld; ${whole}`;
}

/** Runs a command of this process. @param {Promise<number>} command */
export function run(command) {
  // No top-level await, because require() cannot load modules with it.
  command.then(
    (code) => Object.assign(process, { exitCode: code }),
    (error) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 2;
    },
  );
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  run(main(process.argv.slice(2)));
