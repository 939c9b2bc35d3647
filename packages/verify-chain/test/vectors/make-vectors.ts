import { createPublicKey } from "node:crypto";
import { type Checkpoint, exportEvents, exportSlice } from "@reeve/core";
import { canonical } from "../../src/verify-chain.mjs";
import { signedAgain, vectorKey, vectorTenant, withTrailer } from "./vector-world.js";

/** A file, the key to verify it with, and the expected result. */
export interface Vector {
  readonly name: string;
  /** `events` for an export of the whole chain, `slice` for one of some events. */
  readonly form: "events" | "slice";
  /** Public key, as PEM. */
  readonly key: string;
  /** The lines of the file. Each ends with a line feed. */
  readonly lines: readonly string[];
  readonly valid: boolean;
  /** If not valid: words that tell what is wrong, as this verifier writes them. */
  readonly reason?: string;
}

const KEY = vectorKey(1);
const pem = (key: ReturnType<typeof vectorKey>) =>
  createPublicKey(key).export({ type: "spki", format: "pem" }).toString();

const criteria = { subject: ["ast_1"] };
const isEvent = (line: string) => line.startsWith('{"event"');
const isSegment = (line: string) => line.startsWith('{"segment"');

async function linesOf(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line.slice(0, -1));
  return all;
}

/** All vectors, by the names of their files. Those that are not valid have a trailer that fits the change. */
export async function makeVectors(): Promise<Readonly<Record<string, Vector>>> {
  const [own, other] = [await vectorTenant("acme", KEY), await vectorTenant("globex", KEY)];
  const slice = await linesOf(exportSlice(own, { criteria }));
  const events = await linesOf(exportEvents(own));
  return { ...slices(slice, await linesOf(exportSlice(other, { criteria }))), ...exports(events) };
}

function slices(lines: readonly string[], others: readonly string[]): Record<string, Vector> {
  const about = { form: "slice", key: pem(KEY) } as const;
  const ofEvents = lines.flatMap((line, at) => (isEvent(line) ? [at] : []));
  const ofSegments = lines.flatMap((line, at) => (isSegment(line) ? [at] : []));
  const [one, two] = ofEvents as [number, number];
  const [first, second] = ofSegments as [number, number];
  const bad = (name: string, reason: string, changed: readonly string[]): Vector => ({
    ...{ name, ...about, lines: withTrailer(changed, isEvent), valid: false, reason },
  });
  const with_ = (at: number, ...instead: string[]) => lines.flatMap((line, place) => (place === at ? instead : [line]));
  // biome-ignore lint/suspicious/noExplicitAny: a line is changed wherever a case wants it
  const edited = (at: number, edit: (value: any) => void) => {
    const value = JSON.parse(lines[at] as string);
    edit(value);
    return with_(at, canonical(value));
  };
  const head = (change: object, key = KEY) =>
    edited(0, ({ slice }) => {
      slice.head = signedAgain(slice.head, change, key);
    });
  const { slice } = JSON.parse(lines[0] as string);
  const otherHead = JSON.parse(others[0] as string).slice.head as Checkpoint;
  const swapped = lines.map((line, at) => (at === one ? lines[two] : at === two ? lines[one] : line)) as string[];
  return {
    "slice-whole": { name: "all events about an asset", ...about, lines, valid: true },
    "slice-event-left-out": bad("an event left out", "is left out", with_(one)),
    "slice-event-moved": bad("two events in another order", "here is", swapped),
    "slice-event-twice": bad(
      "an event twice",
      "or is there twice",
      with_(one, lines[one] as string, lines[one] as string),
    ),
    "slice-event-changed": bad(
      "another actor in an event",
      "its attributes were changed",
      edited(one, ({ event }) => {
        event.authid = "usr_9";
      }),
    ),
    "slice-data-changed": bad(
      "other data in an event",
      "its data was changed",
      edited(one, ({ event }) => {
        event.data.n = 99;
      }),
    ),
    "slice-event-of-another-tenant": bad(
      "an event of another tenant in place of one",
      "it is not in the chain that the checkpoint was made of",
      with_(one, others[one] as string),
    ),
    "slice-head-of-another-tenant": bad(
      "the newest checkpoint of another tenant, whose key is the same",
      "has the checkpoint of another chain",
      edited(0, (value) => {
        value.slice.head = otherHead;
      }),
    ),
    "slice-of-another-key": bad(
      "the newest checkpoint signed by another key",
      "is not signed by that key",
      head({}, vectorKey(2)),
    ),
    "slice-list-cut": bad(
      "an event taken out of a list of the index",
      "the list of subject:ast_1 was changed",
      edited(first, ({ segment }) => {
        segment.keys[0].entries.shift();
      }),
    ),
    "slice-list-hidden": bad(
      "a list of the index that says there is no event",
      "the list of subject:ast_1 was changed",
      edited(first, ({ segment }) => {
        segment.keys[0] = { ...segment.keys[0], entries: [] };
        delete segment.keys[0].blind;
      }),
    ),
    "slice-index-changed": bad(
      "another index in an older checkpoint",
      "none of those that the newest one vouches for",
      edited(first, ({ segment }) => {
        segment.checkpoint = signedAgain(
          segment.checkpoint,
          { index: { ...segment.checkpoint.index, root: "0".repeat(64) } },
          KEY,
        );
      }),
    ),
    "slice-history-begins-late": bad(
      "the first checkpoint left out",
      "something is missing before",
      lines.filter((_, at) => at !== first && !(at > first && at < second)),
    ),
    "slice-history-shorter": bad(
      "a newest checkpoint that counts one fewer before it",
      "does not vouch for those before it",
      head({ history: { ...slice.head.history, size: slice.head.history.size - 1 } }),
    ),
    "slice-history-of-others": bad(
      "a newest checkpoint with the history of other checkpoints",
      "none of those that the newest one vouches for",
      head({ history: { ...slice.head.history, root: otherHead.history?.root } }),
    ),
    "slice-without-history": bad(
      "a newest checkpoint without a history",
      "does not vouch for those before it",
      head({ history: undefined }),
    ),
    "slice-cut-off": {
      name: "the end cut off",
      ...about,
      lines: lines.slice(0, -1),
      valid: false,
      reason: "the trailer is missing",
    },
  };
}

const isOfExport = (line: string) => !line.startsWith('{"checkpoint"');

function exports(lines: readonly string[]): Record<string, Vector> {
  const about = { form: "events", key: pem(KEY) } as const;
  const found = lines.flatMap((line, at) => (isOfExport(line) ? [] : [at]));
  const checkpointAt = (at: number) => JSON.parse(lines[at] as string).checkpoint as Checkpoint;
  const changed = (change: (checkpoint: Checkpoint, number: number) => object, only: readonly number[] = found) =>
    withTrailer(
      lines.map((line, at) =>
        only.includes(at)
          ? canonical({ checkpoint: signedAgain(checkpointAt(at), change(checkpointAt(at), found.indexOf(at)), KEY) })
          : line,
      ),
      isOfExport,
    );
  const [, second = 0, third = 0] = found;
  const bad = (name: string, reason: string, some: readonly string[]): Vector => ({
    ...{ name, ...about, lines: some, valid: false, reason },
  });
  const zeros = "0".repeat(64);
  return {
    "export-whole": { name: "a chain with its checkpoints", ...about, lines, valid: true },
    "export-older-checkpoints": {
      ...{ name: "checkpoints of before there was an index or a history", ...about, valid: true },
      lines: changed(() => ({ index: undefined, history: undefined })),
    },
    "export-other-tree": bad(
      "a signed checkpoint with another tree of its events",
      "another merkleRoot than its events",
      changed(() => ({ merkleRoot: zeros }), [second]),
    ),
    "export-other-index": bad(
      "a signed checkpoint with another index",
      "another index than its events",
      changed(({ index }) => ({ index: { ...index, root: zeros } }), [second]),
    ),
    "export-other-times": bad(
      "a signed checkpoint with another time of its first event",
      "another index than its events",
      changed(({ index }) => ({ index: { ...index, firstTime: "2025-01-01T00:00:00.000Z" } }), [second]),
    ),
    "export-other-history": bad(
      "a signed checkpoint with the history of other checkpoints",
      "another history than the checkpoints before it",
      changed(({ history }) => ({ history: { ...history, root: zeros } }), [third]),
    ),
    "export-shorter-history": bad(
      "a signed checkpoint that counts one fewer before it",
      "another history than the checkpoints before it",
      changed(({ history }) => ({ history: { ...history, size: (history?.size ?? 0) - 1 } }), [third]),
    ),
    "export-checkpoint-left-out": bad(
      "a checkpoint left out between two others",
      "does not follow the one before",
      withTrailer(
        lines.filter((_, at) => at !== second),
        isOfExport,
      ),
    ),
  };
}
