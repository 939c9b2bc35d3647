import { createMemoryStore } from "@reeve/core";
import { describeGoldenRun } from "@reeve/testkit";

describeGoldenRun({
  name: "memory",
  create: async () => {
    const store = createMemoryStore();
    return { store, dispose: () => store.close() };
  },
});
