import { createMemoryStore } from "@reeve/core";
import type { contractCollections } from "@reeve/testkit";

export const migratedStoreWith = async (_collections: typeof contractCollections) => createMemoryStore();
