import { describeEstateRaces } from "@reeve/testkit";
import { createDatabase } from "@reeve/testkit/postgres";
import { inject } from "vitest";
import { createPostgresStore } from "../src/index.js";

describeEstateRaces({
  name: "PostgreSQL",
  create: async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const store = createPostgresStore({ url: database.url });
    return {
      store,
      dispose: async () => {
        await store.close();
        await database.drop();
      },
    };
  },
});
