import { copyFileSync } from "node:fs";
import { library } from "../../scripts/lib/tsup.js";

// store-sql is not published, so its code and types are bundled.
export default library({
  shims: true,
  noExternal: ["@reeve/store-sql"],
  onSuccess: async () => copyFileSync("src/console-process.mjs", "dist/console-process.mjs"),
});
