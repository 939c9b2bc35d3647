import { generateKeyPairSync } from "node:crypto";
import { createMemoryStore } from "@reeve/core";
import { BASE_URL, MASTER_KEY } from "@reeve/testkit";
import { vi } from "vitest";
import { newAcme } from "../acme.js";

const acme = await newAcme();
export const store = acme.store;
export const tenantId = acme.tenantId;
export const env = acme.env;
export const config = { store: createMemoryStore(), masterKey: MASTER_KEY, baseUrl: BASE_URL };
export const bucketWithObjectLock = { put: async (..._object: string[]) => {} };

const { privateKey } = generateKeyPairSync("ed25519");
vi.stubEnv("CHECKPOINT_KEY", String(privateKey.export({ format: "pem", type: "pkcs8" })));
