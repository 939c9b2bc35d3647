import { copyFileSync } from "node:fs";
import { library } from "../../scripts/lib/tsup.js";

// store-sql is never published: its code and its types are bundled. For the types it has to look like sources of ours.
export default library({
  shims: true,
  noExternal: ["@reeve/store-sql"],
  dts: { compilerOptions: { paths: { "@reeve/store-sql": ["../store-sql/src/index.ts"] } } },
  onSuccess: async () => copyFileSync("src/console-process.mjs", "dist/console-process.mjs"),
});
