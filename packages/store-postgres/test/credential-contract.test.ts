import { describeCredentialContract } from "@reeve/testkit";
import { createDatabase } from "@reeve/testkit/postgres";
import { inject } from "vitest";
import { createPostgresStore } from "../src/index.js";

describeCredentialContract({
  name: "PostgreSQL",
  create: async () => {
    const database = await createDatabase(inject("postgresUrl"));
    return {
      open: async () => createPostgresStore({ url: database.url }),
      dispose: () => database.drop(),
    };
  },
});
