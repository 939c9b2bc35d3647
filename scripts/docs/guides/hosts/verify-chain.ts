import { generateKeyPairSync } from "node:crypto";
import { exportEvents, exportSlice } from "@reeve/core";
import { newAcme } from "../acme.js";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const pem = { format: "pem", type: "pkcs8" } as const;
const acme = await newAcme({ checkpointKey: String(privateKey.export(pem)) });
acme.clock.advance(25 * 3_600_000);
await acme.controlPlane.tick();
const lines: string[] = [];
for await (const line of exportEvents(acme.store.forTenant(acme.tenantId))) lines.push(line);
const slice: string[] = [];
for await (const line of exportSlice(acme.store.forTenant(acme.tenantId))) slice.push(line);
const kept = await acme.controlPlane.call("aiGovernance.listCheckpoints", acme.principal);

/** An export, a slice, their checkpoints and the key that signed them. */
export const files = {
  "events.jsonl": lines.join(""),
  "slice.jsonl": slice.join(""),
  "kept.json": JSON.stringify(kept.items),
  "checkpoints.pem": String(publicKey.export({ format: "pem", type: "spki" })),
};
