import { generateKeyPairSync } from "node:crypto";
import { exportEvents } from "@reeve/core";
import { newAcme } from "../acme.js";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const pem = { format: "pem", type: "pkcs8" } as const;
const acme = await newAcme({ checkpointKey: String(privateKey.export(pem)) });
acme.clock.advance(25 * 3_600_000);
await acme.controlPlane.tick();
const lines: string[] = [];
for await (const line of exportEvents(acme.store.forTenant(acme.tenantId))) lines.push(line);
const kept = await acme.controlPlane.call("aiGovernance.listCheckpoints", acme.principal);

/** An export, its checkpoints and the key that signed them. */
export const files = {
  "events.jsonl": lines.join(""),
  "kept.json": JSON.stringify(kept.items),
  "checkpoints.pem": String(publicKey.export({ format: "pem", type: "spki" })),
};
