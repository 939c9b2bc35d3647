import { copyFileSync } from "node:fs";
import { library } from "../../scripts/lib/tsup.js";

// store-sql is not published, so its code and types are bundled. For the types it must look like own sources.
export default library({
  shims: true,
  noExternal: ["@reeve/store-sql"],
  dts: {
    compilerOptions: { paths: { "@reeve/store-sql": ["../../.declarations/packages/store-sql/src/index.d.ts"] } },
  },
  onSuccess: async () => copyFileSync("src/console-process.mjs", "dist/console-process.mjs"),
});
