import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { type Checkpoint, checkpointText, createMemoryStore, exportEvents, keyIdOf, type Principal } from "@reeve/core";
import { type EventDraft, sha256 } from "@reeve/core/store";
import { draftEvent } from "@reeve/core/testing";
import type { ReferencePage } from "./markdown.js";

/** An export, the checkpoints to verify it with, and the expected result. */
export interface ChainVector {
  readonly name: string;
  /** The lines of the file. Each ends with a line feed. */
  readonly lines: readonly string[];
  /** Checkpoints kept outside of the export. */
  readonly checkpoints: readonly Checkpoint[];
  readonly valid: boolean;
  /** If not valid: the sequence of the first invalid event. */
  readonly sequence?: number;
}

export interface ChainVectors {
  readonly publicKey: string;
  readonly vectors: readonly ChainVector[];
}

const TENANT = "tnt_01JD3Z6T5W8Y9X7V4R2Q1P0N6M";
const USER = "usr_01JD3Z6T5W8Y9X7V4R2Q1P0N6M";
const ASSET = "ast_01JD3Z6T5W8Y9X7V4R2Q1P0N6M";
const EVENTS = 5;
/** A key for these vectors only. Its secret is the bytes 0 to 31. */
const PRIVATE_KEY = createPrivateKey({
  key: Buffer.concat([
    Buffer.from("302e020100300506032b657004220420", "hex"),
    Buffer.from(Array.from({ length: 32 }, (_, n) => n)),
  ]),
  format: "der",
  type: "pkcs8",
});

function draft(n: number): EventDraft {
  const principal: Principal = {
    kind: "user",
    tenantId: TENANT,
    userId: USER,
    username: "",
    roles: [],
    permissions: new Set(),
  };
  const subject = { id: ASSET, type: "ai_asset", path: `/api/v1/ai-assets/${ASSET}` };
  const entity = { type: "ai_asset", id: ASSET, name: "Zoë’s agent" };
  const changes = [{ field: "description", from: `text ${n}`, to: `€\u2028 "${n}" \\ 😀` }];
  const data = { entity, changes, "\u00e9": 1e21, e: [-0.5, 12.5, null, true] };
  const origin = { principal, requestId: `req_${n}`, typePrefix: "reeve" };
  const [id, time] = [`evt_01JD3Z6T5W8Y9X7V4R2Q1P0N6${n}`, `2026-11-21T10:00:0${n}.000Z`];
  return draftEvent({ type: "asset.updated", subject, data, related: n === 2 ? [USER] : [] }, { ...origin, id, time });
}

/** The Merkle root of a few hashes (RFC 6962). */
export function merkleRoot(hashes: readonly string[]): string {
  const [first] = hashes;
  const bytes = (hex: string) => Buffer.from(hex, "hex");
  if (hashes.length <= 1) return first === undefined ? sha256("") : digest(Buffer.of(0), bytes(first));
  const split = 2 ** Math.ceil(Math.log2(hashes.length) - 1);
  return digest(Buffer.of(1), bytes(merkleRoot(hashes.slice(0, split))), bytes(merkleRoot(hashes.slice(split))));
}

function digest(...parts: readonly Buffer[]): string {
  return createHash("sha256").update(Buffer.concat(parts)).digest("hex");
}

async function exported(
  change: (tenant: ReturnType<ReturnType<typeof createMemoryStore>["forTenant"]>) => Promise<void>,
) {
  const tenant = createMemoryStore().forTenant(TENANT);
  for (let n = 1; n <= EVENTS; n++) await tenant.append(draft(n));
  await change(tenant);
  const lines: string[] = [];
  for await (const line of exportEvents(tenant)) lines.push(line.slice(0, -1));
  return lines;
}

function checkpoint(lines: readonly string[], fromSeq: number, toSeq: number): Checkpoint {
  const hashes = lines.slice(fromSeq - 1, toSeq).map((line) => (JSON.parse(line) as { eventhash: string }).eventhash);
  const content: Checkpoint = {
    format: "reeve-checkpoint/1",
    chainid: TENANT,
    fromSeq,
    toSeq,
    headHash: hashes.at(-1) as string,
    merkleRoot: merkleRoot(hashes),
    at: "2026-11-21T11:00:00.000Z",
  };
  const value = sign(null, Buffer.from(checkpointText(content)), PRIVATE_KEY).toString("base64url");
  return { ...content, signature: { alg: "Ed25519", kid: keyIdOf(PRIVATE_KEY), value } };
}

/** The lines with a matching trailer, as made by somebody who hides a change. */
export function withTrailer(lines: readonly string[], after = 0): string[] {
  const events = lines.filter((line) => line.startsWith('{"auth'));
  const last = JSON.parse(events.at(-1) ?? "{}") as { sequence: string; eventhash: string };
  const facts = { format: "reeve-events/1", after, to: Number(last.sequence), events: events.length };
  const content = sha256(lines.map((line) => `${line}\n`).join(""));
  return [
    ...lines,
    JSON.stringify({ trailer: { ...facts, headHash: last.eventhash, complete: true, sha256: content } }),
  ];
}

const edited = (lines: readonly string[], at: number, from: string, to: string) =>
  withTrailer(lines.map((line, index) => (index === at ? line.replace(from, to) : line)));

/** Valid exports, and manipulated ones whose trailer was made to match. */
export async function chainVectors(): Promise<ChainVectors> {
  const whole = await exported(async () => undefined);
  const events = whole.slice(0, EVENTS);
  const [first, last] = [checkpoint(events, 1, 2), checkpoint(events, 3, 5)];
  const erased = await exported((tenant) => tenant.eraseEvents([1, 4]));
  const pruned = await exported((tenant) => tenant.pruneEvents(2));
  const [one, two, three, four, five] = events as [string, string, string, string, string];
  const forged = { ...first, merkleRoot: first.headHash };
  const sound = (name: string, lines: readonly string[], checkpoints: readonly Checkpoint[] = []) => ({
    name,
    lines,
    checkpoints,
    valid: true,
  });
  const unsound = (
    name: string,
    sequence: number,
    lines: readonly string[],
    checkpoints: readonly Checkpoint[] = [],
  ) => ({ name, lines, checkpoints, valid: false, sequence });
  return {
    publicKey: createPublicKey(PRIVATE_KEY).export({ type: "spki", format: "pem" }).toString(),
    vectors: [
      sound("a whole chain", whole),
      sound("a whole chain and two checkpoints of it", whole, [first, last]),
      sound(
        "a checkpoint among the events",
        withTrailer([one, two, JSON.stringify({ checkpoint: first }), three, four, five]),
      ),
      sound("the data of two events erased", erased, [first, last]),
      sound("a chain that begins behind a checkpoint", pruned, [first, last]),
      sound("a part from the middle", withTrailer([three, four], 2), [first, checkpoint(events, 3, 4)]),
      sound("an end cut off, which nothing in the file betrays", withTrailer([one, two, three, four]), [first]),
      unsound("an end cut off, and a later checkpoint", 5, withTrailer([one, two, three, four]), [first, last]),
      unsound("a part that the signature ends before", 5, withTrailer([three, four], 2), [first]),
      unsound("an attribute edited", 3, edited(events, 2, "req_3", "req_4")),
      unsound("data edited", 4, edited(events, 3, "text 4", "text 5")),
      unsound("data of another event", 2, edited(events, 1, "text 2", "text 1")),
      unsound("an id edited", 1, edited(events, 0, "N61", "N69")),
      unsound("a hash edited", 5, edited(events, 4, '"eventhash":"', '"eventhash":"0')),
      unsound("an event removed", 2, withTrailer([one, three, four, five])),
      unsound("an event twice", 3, withTrailer([one, two, two, three, four, five])),
      unsound("two events in another order", 2, withTrailer([one, three, two, four, five])),
      unsound("another chain, and a checkpoint of this one", 2, whole, [
        { ...checkpoint(events, 1, 2), headHash: sha256("") },
      ]),
      unsound("another beginning than its checkpoint", 3, pruned, [checkpoint([two, one], 1, 2)]),
      unsound("a checkpoint whose signature is of another", 2, whole, [forged]),
    ],
  };
}

export async function chainVectorsPage(): Promise<ReferencePage> {
  return { file: "event-chain-vectors.json", text: `${JSON.stringify(await chainVectors(), null, 2)}\n` };
}
