// Verifies a slice of Reeve's event chain: some events, with the proof that they are in the chain and that none of their
// kind is left out. It needs only Node, verify-chain.mjs beside it, and a key or a checkpoint that was kept.

import { isUtf8 } from "node:buffer";
import { createHash, hash, verify } from "node:crypto";
import { fits, isCriteria, isValue, keysOf } from "./slice-criteria.mjs";
import { isEntries, isPlace, rootOf, rootOfIndex } from "./slice-trees.mjs";
import { DerFault } from "./time-stamp/der.mjs";
import { timeStampOf } from "./time-stamp/token.mjs";
import { canonical, Fault, leafHash, linesOf, parsed, positionOf } from "./verify-chain.mjs";

/** Events carry the time at which their request began, and follow each other within less than this, in milliseconds. */
const DISORDER = 60 * 60 * 1000;
const sha256 = (/** @type {string} */ text) => hash("sha256", text, "hex");

/**
 * @typedef {import("./verify-chain.mjs").Checkpoint} Checkpoint
 * @typedef {import("./slice-criteria.mjs").Value} Value
 * @typedef {import("./slice-criteria.mjs").Criteria} Criteria
 * @typedef {import("./time-stamp/token.mjs").TimeStamp} TimeStamp
 * @typedef {object} Options
 * @property {ReadonlyMap<string, import("node:crypto").KeyObject>} [keys] Ed25519 public keys by their thumbprints
 * @property {readonly Checkpoint[]} [checkpoints] kept elsewhere: those that the slice rests on have to be among them
 * @property {(event: Value, isOutside: boolean) => void} [onEvent] called with each event that is proven
 * @typedef {object} Report
 * @property {boolean} valid
 * @property {string | null} chainid the tenant whose chain it is
 * @property {Criteria} criteria which events it is about
 * @property {string | null} from the first moment of the span of time
 * @property {string | null} before the moment behind its last one
 * @property {number} after every event that fits is here, of those with a sequence above this
 * @property {number} to and up to this
 * @property {number} events how many fit and are within the span of time
 * @property {number} outside how many more are shown that fit, but are outside of the span
 * @property {number} withheld how many within the span are without their data: erased, or withheld
 * @property {boolean} covered whether all of the span of time is between the sequences
 * @property {boolean | null} complete whether the span, or else the newest checkpoint, is reached
 * @property {readonly (readonly [number, number])[]} unproven parts without an index, of which nothing shows that no event is missing
 * @property {Checkpoint | null} head the checkpoint that vouches for all of it
 * @property {string | null} signedBy thumbprint of the key that signed it
 * @property {TimeStamp | null} timeStamp by an authority, of that checkpoint
 * @property {{ line: number, sequence: number, reason: string } | null} fault the first fault
 */

/** The state of one verification. */
class Slice {
  line = 0;
  at = 0;
  after = 0;
  to = 0;
  events = 0;
  outside = 0;
  withheld = 0;
  complete = /** @type {boolean | null} */ (null);
  unproven = /** @type {[number, number][]} */ ([]);
  head = /** @type {Checkpoint | null} */ (null);
  signedBy = /** @type {string | null} */ (null);
  timeStamp = /** @type {TimeStamp | null} */ (null);
  begins = false;
  #about = /** @type {{ chainid: string, criteria: Criteria, from?: string, before?: string } | null} */ (null);
  #keys = /** @type {string[][]} */ ([]);
  #segment = /** @type {Segment | null} */ (null);
  #content = createHash("sha256");
  #part = { after: 0, shown: 0, open: false };

  /** @param {Options} options */
  constructor(options) {
    this.options = options;
  }

  get about() {
    return this.#about;
  }

  /** @param {Buffer} bytes a line without its end */
  take(bytes) {
    this.line += 1;
    if (!isUtf8(bytes)) throw new Fault("is not UTF-8");
    const text = bytes.toString("utf8");
    const value = parsed(text);
    // One spelling for each line, so that a reader sees what is verified.
    if (text !== canonical(value))
      throw new Fault("is not as an export writes it: other spaces or order, or a property twice");
    if (isValue(value.trailer)) return this.#trailer(value.trailer);
    this.#content.update(bytes).update("\n");
    if (isValue(value.slice)) return this.#begin(value.slice);
    if (!this.#part.open) throw new Fault("stands before the line that says which slice it is");
    if (isValue(value.segment)) return this.#next(value.segment);
    if (isValue(value.event)) return this.#event(value.event, value.path);
    throw new Fault("is nothing that a slice has");
  }

  end() {
    if (!this.#about) throw new Fault("there is nothing in it");
    if (this.#part.open) throw new Fault("the trailer is missing: the file was cut off");
  }

  /** @param {Value} slice */
  #begin({ format, head, place, after, timeStamp, ...about }) {
    if (format !== "reeve-slice/1" || this.#part.open) throw new Fault("is not the beginning of a slice");
    if (this.#about && canonical(about) !== canonical(this.#about))
      throw new Fault("is a slice of something else than the part before");
    if (this.#about && after !== this.to)
      throw new Fault(`goes on behind ${after}, and the part before ended with ${this.to}`);
    if (!isPlace(after)) throw new Fault("says no sequence that it begins behind");
    const { chainid, criteria } = about;
    if (typeof chainid !== "string" || !isCriteria(criteria)) throw new Fault("does not say which events it is about");
    for (const moment of [about.from, about.before])
      if (moment !== undefined && !(typeof moment === "string" && Number.isFinite(Date.parse(moment))))
        throw new Fault("has a moment that is none");
    if (!isValue(head)) throw new Fault("has no checkpoint: none is made yet");
    if (!this.#about) this.after = this.to = after;
    this.#about = /** @type {any} */ (about);
    this.#keys = keysOf(criteria);
    this.head = /** @type {Checkpoint} */ (/** @type {unknown} */ (head));
    this.#trust(this.head, place);
    this.timeStamp = timeStamp === undefined ? null : timeStampOf(timeStamp, canonical(head));
    this.#segment = null;
    this.#part = { after, shown: 0, open: true };
  }

  /** Whether somebody vouches for a checkpoint. @param {Checkpoint} head @param {unknown} place */
  #trust(head, place) {
    const { keys, checkpoints = [] } = this.options;
    if (head.format !== "reeve-checkpoint/1") throw new Fault("has a checkpoint of a kind not known here");
    if (head.chainid !== this.#about?.chainid) throw new Fault("has the checkpoint of another chain");
    if (!head.history || head.history.size !== place)
      throw new Fault("has a checkpoint that does not vouch for those before it");
    const { signature, ...content } = head;
    if (keys) {
      const key = keys.get(String(signature?.kid));
      const value = Buffer.from(String(signature?.value), "base64url");
      if (!key || signature?.alg !== "Ed25519" || !verify(null, Buffer.from(canonical(content)), key, value))
        throw new Fault("the checkpoint is not signed by that key");
      this.signedBy = String(signature?.kid);
    }
    const isKept = checkpoints.some(({ signature: _, ...kept }) => canonical(kept) === canonical(content));
    if (!isKept && (checkpoints.length > 0 || !keys)) throw new Fault("the checkpoint is none of those that were kept");
  }

  /** @param {Value} segment */
  #next({ checkpoint, place, path, keys }) {
    const { head, to } = this;
    this.#finish(this.#segment?.toSeq ?? to);
    if (!head?.history || !isValue(checkpoint) || !isPlace(place)) throw new Fault("is no part of a slice");
    const { signature: _, ...content } = checkpoint;
    const { fromSeq, toSeq } = checkpoint;
    if (place === head.history.size) {
      if (canonical(checkpoint) !== canonical(head)) throw new Fault("is another checkpoint than the newest one");
    } else if (rootOf(leafHash(Buffer.from(canonical(content))), place, head.history.size, path) !== head.history.root)
      throw new Fault("its checkpoint is none of those that the newest one vouches for");
    if (!isPlace(fromSeq) || !isPlace(toSeq) || fromSeq > this.to + 1 || toSeq <= this.to)
      throw new Fault(`event ${this.to + 1} is in another part: something is missing before`);
    if (this.#segment && place !== this.#segment.place + 1)
      throw new Fault("its checkpoint does not follow the one before");
    const one = /** @type {Checkpoint} */ (/** @type {unknown} */ (checkpoint));
    const lists = this.#listsOf(one, keys);
    if (this.to === this.after) this.begins = this.#isBegin(one);
    const due = this.#dueOf(one, lists).filter((sequence) => sequence > this.to);
    this.#segment = { checkpoint: one, place, toSeq, due, shown: 0, lists };
  }

  /** What the index lists under each key. @param {Checkpoint} checkpoint @param {unknown} proofs */
  #listsOf({ index, headHash, fromSeq, toSeq }, proofs) {
    const lists = /** @type {Map<string, Map<number, string>>} */ (new Map());
    const keys = this.#keys.flat();
    if (!index && proofs === null) return null;
    if (!index || !Array.isArray(proofs) || proofs.length !== keys.length)
      throw new Fault("lacks what proves its lists of events");
    for (const [at, key] of keys.entries()) {
      const proof = proofs[at];
      if (!isValue(proof) || proof.key !== key || !isEntries(proof.entries, fromSeq, toSeq))
        throw new Fault(`has no list of ${key}`);
      if (rootOfIndex(proof, headHash) !== index.root) throw new Fault(`the list of ${key} was changed`);
      lists.set(key, new Map(proof.entries));
    }
    return lists;
  }

  /**
   * The sequences of the events that have to be here.
   * @param {Checkpoint} checkpoint @param {Map<string, Map<number, string>> | null} lists
   */
  #dueOf({ fromSeq, toSeq }, lists) {
    if (!lists && this.#keys.length > 0) {
      this.unproven.push([Math.max(fromSeq, this.to + 1), toSeq]);
      return [];
    }
    const all = Array.from({ length: this.#keys.length > 0 ? 0 : toSeq - fromSeq + 1 }, (_, at) => fromSeq + at);
    const [first, ...others] = this.#keys.map(
      (some) => new Set(some.flatMap((key) => [...(lists?.get(key)?.keys() ?? [])])),
    );
    if (!first) return all;
    return [...first].filter((sequence) => others.every((other) => other.has(sequence))).sort((a, b) => a - b);
  }

  /** @param {Value} event @param {unknown} path */
  #event(event, path) {
    const segment = this.#segment;
    const { data, sequence, prevhash, eventhash, ...attributes } = event;
    if (!segment || typeof sequence !== "string" || !/^\d{12,16}$/.test(sequence))
      throw new Fault("is no event of a slice");
    const number = Number(sequence);
    this.at = number;
    const record = sha256(canonical(attributes));
    const { fromSeq, toSeq, merkleRoot } = segment.checkpoint;
    if (segment.lists || this.#keys.length === 0) {
      const due = segment.due[segment.shown];
      if (due !== undefined && number > due) throw new Fault(`event ${due} is left out: here is ${number}`);
      if (due !== number) throw new Fault(`event ${number} is not of this slice here, or is there twice`);
    } else if (number <= this.to || !fits(attributes, this.#keys))
      throw new Fault(`event ${number} is not of this slice here`);
    if (eventhash !== sha256(`${prevhash}\n${sequence}\n${record}`)) throw new Fault("its attributes were changed");
    if (data !== null && sha256(canonical(data)) !== attributes.datahash) throw new Fault("its data was changed");
    if (
      number < fromSeq ||
      rootOf(leafHash(Buffer.from(eventhash, "hex")), number - fromSeq, toSeq - fromSeq + 1, path) !== merkleRoot
    )
      throw new Fault("it is not in the chain that the checkpoint was made of");
    for (const [key, list] of segment.lists ?? []) {
      const entry = list.get(number);
      if (
        entry !== undefined &&
        entry !== sha256(`${positionOf(segment.checkpoint.headHash, key).toString("hex")}\n${sequence}\n${record}`)
      )
        throw new Fault(`it is another event than the list of ${key} names`);
    }
    if (!fits(attributes, this.#keys)) throw new Fault("its list names an event of something else");
    segment.shown += 1;
    this.to = number;
    this.#part.shown += 1;
    this.#count(event);
  }

  /** @param {Value} event */
  #count(event) {
    const { from = "", before } = this.#about ?? {};
    const time = String(event.time);
    const isOutside = time < from || (before !== undefined && time >= before);
    if (isOutside) this.outside += 1;
    else this.events += 1;
    if (!isOutside && event.data === null) this.withheld += 1;
    this.options.onEvent?.(event, isOutside);
  }

  /** Ends a checkpoint up to a sequence. @param {number} to */
  #finish(to) {
    const due = this.#segment?.due[this.#segment.shown];
    if (due !== undefined && due <= to) throw new Fault(`event ${due} is left out`);
    this.to = Math.max(this.to, to);
  }

  /** Whether no event of the span of time can stand before it. @param {Checkpoint} checkpoint */
  #isBegin({ index, fromSeq }) {
    const { from } = this.#about ?? {};
    if (this.after === 0) return true;
    return (
      from !== undefined &&
      index !== undefined &&
      this.after === fromSeq - 1 &&
      Date.parse(index.firstTime) < Date.parse(from) - DISORDER
    );
  }

  /** Whether no event of the span of time can stand behind what is read. @param {number} to */
  #isEnd(to) {
    const { before } = this.#about ?? {};
    if (to === this.head?.toSeq) return true;
    const { index, toSeq } = this.#segment?.checkpoint ?? {};
    return (
      before !== undefined &&
      index !== undefined &&
      to === toSeq &&
      Date.parse(index.lastTime) >= Date.parse(before) + DISORDER
    );
  }

  /** @param {Value} trailer */
  #trailer({ to, ...trailer }) {
    if (!this.#part.open) throw new Fault("is the trailer of nothing");
    if (!isPlace(to) || to < this.to || to > (this.#segment?.toSeq ?? this.to))
      throw new Fault("the trailer says another end than there is");
    this.#finish(to);
    this.complete = this.#isEnd(to);
    const { after, shown: events } = this.#part;
    const found = {
      format: "reeve-slice/1",
      after,
      events,
      complete: this.complete,
      sha256: this.#content.digest("hex"),
    };
    if (canonical(trailer) !== canonical(found))
      throw new Fault("the trailer says something else than the lines before it");
    this.#content = createHash("sha256");
    this.#part = { after: to, shown: 0, open: false };
  }
}

/**
 * @typedef {{ checkpoint: Checkpoint, place: number, toSeq: number, due: number[], shown: number,
 *   lists: Map<string, Map<number, string>> | null }} Segment
 */

/**
 * Verifies a slice in bounded memory, from its bytes in chunks of any size.
 * @param {AsyncIterable<Buffer> | Iterable<Buffer>} chunks @param {Options} options @returns {Promise<Report>}
 */
export async function verifySlice(chunks, options) {
  if (!options.keys && !options.checkpoints?.length)
    throw new Error("a key, or a checkpoint that was kept, has to be given");
  const state = new Slice(options);
  let fault = /** @type {Report["fault"]} */ (null);
  try {
    for await (const line of linesOf(chunks)) state.take(line);
    state.end();
  } catch (error) {
    // A line too deep for the stack is not from an export.
    if (!(error instanceof Fault || error instanceof DerFault || error instanceof RangeError)) throw error;
    fault = { line: state.line, sequence: state.at, reason: error.message };
  }
  const { events, outside, withheld, after, to, complete, unproven, head, signedBy, timeStamp, about } = state;
  const span = { from: about?.from ?? null, before: about?.before ?? null, after, to };
  const covered = state.begins && complete === true;
  const counts = { events, outside, withheld, covered, complete, unproven, head, signedBy, timeStamp };
  return {
    valid: fault === null,
    chainid: about?.chainid ?? null,
    criteria: about?.criteria ?? {},
    ...span,
    ...counts,
    fault,
  };
}
