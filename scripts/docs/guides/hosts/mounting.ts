import { createMemoryStore } from "@reeve/core";
import { BASE_URL, MASTER_KEY } from "@reeve/testkit";
import { newAcme } from "../acme.js";

export const store = createMemoryStore();
export const masterKey = MASTER_KEY;
export const baseUrl = BASE_URL;
export const config = { store, masterKey, baseUrl };
export const controlPlane = (await newAcme()).controlPlane;
export const report = (error: unknown) => process.emitWarning(String(error));
export const request = new Request("http://localhost:3000/governance/api/v1/monitor/ping");
export const queue = { publish: async (_event: object) => {} };
