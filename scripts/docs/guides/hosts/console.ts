import { createMemoryStore } from "@reeve/core";
import { BASE_URL, MASTER_KEY } from "@reeve/testkit";

export const config = { store: createMemoryStore(), masterKey: MASTER_KEY, baseUrl: BASE_URL };
