import { library } from "../../scripts/lib/tsup.js";

// The suites import vitest, which has no CommonJS entry. The PostgreSQL launcher stands alone and is built for both.
export default library(
  {
    entry: {
      index: "src/index.ts",
      browser: "src/browser/index.ts",
      connectors: "src/connectors/index.ts",
      "hostile-policies": "src/hostile-policies/index.ts",
      "living-estate": "src/living-estate/index.ts",
      mail: "src/mail/index.ts",
      mcp: "src/mcp/index.ts",
      openapi: "src/openapi/index.ts",
      postgres: "src/postgres/index.ts",
      programs: "src/programs/index.ts",
      saml: "src/saml/index.ts",
    },
    format: ["esm"],
  },
  { entry: { postgres: "src/postgres/index.ts" }, format: ["cjs"], shims: true },
);
