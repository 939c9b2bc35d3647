import { copyFileSync } from "node:fs";
import { library } from "../../scripts/lib/tsup.js";

// store-sql is not published, so its code and types are bundled.
export default library({
  shims: true,
  noExternal: ["@reeve/store-sql"],
  onSuccess: async () => {
    for (const script of ["console-process.mjs", "console-database.mjs"])
      copyFileSync(`src/${script}`, `dist/${script}`);
  },
});
