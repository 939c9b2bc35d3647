import { library } from "../../scripts/lib/tsup.js";

export default library({
  entry: { index: "src/index.ts", reeve: "src/reeve.ts" },
  format: ["esm"],
  // Shared chunks have content hashes in their names, so those of earlier builds would remain.
  clean: true,
});
