import { createMemoryStore } from "@reeve/core";
import { describeEstateRaces } from "@reeve/testkit";

describeEstateRaces({
  name: "memory",
  create: async () => {
    const store = createMemoryStore();
    return { store, dispose: () => store.close() };
  },
});
