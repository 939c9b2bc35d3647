import { generateKeyPairSync } from "node:crypto";
import { createMemoryStore } from "@reeve/core";
import { BASE_URL, MASTER_KEY } from "@reeve/testkit";
import { vi } from "vitest";
import { newAcme } from "../acme.js";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const pem = String(privateKey.export({ format: "pem", type: "pkcs8" }));
const acme = await newAcme({ checkpointKey: pem });
await acme.controlPlane.tick();
export const store = acme.store;
export const tenantId = acme.tenantId;
export const env = { ...acme.env, AGENT: acme.owner.userId };
/** The key that signs checkpoints, as an auditor has it. */
export const files = { "checkpoints.pem": String(publicKey.export({ format: "pem", type: "spki" })) };
export const config = { store: createMemoryStore(), masterKey: MASTER_KEY, baseUrl: BASE_URL };
export const bucketWithObjectLock = { put: async (..._object: string[]) => {} };

vi.stubEnv("CHECKPOINT_KEY", pem);
