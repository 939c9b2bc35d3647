import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { exportSlice } from "@reeve/core";
import { TimeStampingAuthority } from "@reeve/testkit/programs";
import { newAcme } from "../acme.js";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const checkpointKey = String(privateKey.export({ format: "pem", type: "pkcs8" }));
const authority = await TimeStampingAuthority.start();
const acme = await newAcme({ checkpointKey, timestampUrl: authority.url, egressAllow: ["127.0.0.1"] });
await acme.controlPlane.tick();
const slice: string[] = [];
for await (const line of exportSlice(acme.store.forTenant(acme.tenantId))) slice.push(line);

/** A slice with a time stamp, the key of its checkpoint, and the certificate of the authority. */
export const files = {
  "slice.jsonl": slice.join(""),
  "checkpoints.pem": String(publicKey.export({ format: "pem", type: "spki" })),
  "authority.pem": readFileSync(authority.root, "utf8"),
};
await authority.stop();
