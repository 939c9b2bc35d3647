import { createMemoryStore } from "@reeve/core";
import { describeCredentialContract } from "../src/index.js";

describeCredentialContract({
  name: "memory",
  create: async () => {
    const store = createMemoryStore();
    return { open: async () => store, dispose: async () => {} };
  },
});
