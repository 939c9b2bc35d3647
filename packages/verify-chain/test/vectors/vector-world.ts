import { createHash, createPrivateKey, type KeyObject, randomBytes, sign } from "node:crypto";
import { type Checkpoint, checkpointText, createControlPlane, createMemoryStore, keyIdOf } from "@reeve/core";
import { type EventDraft, type Reader, sha256 } from "@reeve/core/store";
import { countingIds } from "@reeve/testkit";
import { canonical } from "../../src/verify-chain.mjs";

const HOUR = 3_600_000;

/** A key for vectors only, whose secret is one byte 32 times. */
export const vectorKey = (byte: number): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, byte)]),
    format: "der",
    type: "pkcs8",
  });

/** A tenant to whose assets something happens every hour, with a checkpoint every four hours. Two runs make the same one. */
export async function vectorTenant(externalId: string, key: KeyObject): Promise<Reader> {
  const store = createMemoryStore();
  let now = Date.UTC(2026, 0, 1);
  const plane = createControlPlane({
    ...{ store, clock: { now: () => now }, ids: countingIds(externalId.length), masterKey: randomBytes(32) },
    ...{ baseUrl: "http://localhost", checkpointKey: key, checkpointHours: 1 },
  });
  const { tenantId } = await plane.ensureTenant({ externalId, name: externalId });
  const tenant = store.forTenant(tenantId);
  for (let n = 1; n <= 12; n += 1) {
    now += HOUR;
    await tenant.append(draftOf(n, externalId, new Date(now).toISOString()));
    if (n % 4 > 0) continue;
    // The events were written beside the kernel.
    await store.dues.lower([tenantId], new Date(now).toISOString());
    await plane.tick();
  }
  return tenant;
}

function draftOf(n: number, name: string, time: string): EventDraft {
  const id = `evt_9${String(n).padStart(25, "0")}`;
  const subject = `ast_${n % 3}`;
  const data = canonical({ name, n, text: `€ “${n}” 😀` });
  const attributes = canonical({
    ...{ authid: `usr_${n % 2}`, authtype: "user", correlationid: `req_${n}`, datahash: sha256(data), id },
    ...{ subject, subjecttype: "ai_asset", time, type: "reeve.asset.updated.v1" },
  });
  return { id, time, attributes, data, recordHash: sha256(attributes), streams: [subject] };
}

/** A checkpoint with other content, signed as its owner would. */
export function signedAgain(checkpoint: Checkpoint, change: object, key: KeyObject): Checkpoint {
  const { signature: _, ...content } = JSON.parse(JSON.stringify({ ...checkpoint, ...change })) as Checkpoint;
  const value = sign(null, Buffer.from(checkpointText(content)), key).toString("base64url");
  return { ...content, signature: { alg: "Ed25519", kid: keyIdOf(key), value } };
}

/** Lines with a trailer that fits, as somebody writes it who hides a change. */
export function withTrailer(lines: readonly string[], isCounted: (line: string) => boolean): string[] {
  const before = lines.slice(0, -1);
  const { trailer } = JSON.parse(lines.at(-1) as string);
  const events = before.filter(isCounted).length;
  const hash = createHash("sha256")
    .update(before.map((line) => `${line}\n`).join(""))
    .digest("hex");
  return [...before, canonical({ trailer: { ...trailer, events, sha256: hash } })];
}
