import { createMemoryStore } from "@reeve/core";
import { describeStoreConcurrency, describeStoreContract } from "@reeve/testkit";

const volatile = "the memory store keeps nothing beyond its process";
const single = "nothing is shared by two memory stores";

describeStoreContract({
  name: "memory",
  create: async () => {
    const store = createMemoryStore();
    await store.migrate();
    return { store, dispose: () => store.close() };
  },
  skips: [
    { case: "lifecycle > what was stored outlives the store", reason: volatile },
    { case: "lifecycle > a rollback leaves nothing to outlive the store", reason: volatile },
  ],
});

describeStoreConcurrency({ name: "memory", skip: single });
