import { library } from "../../scripts/lib/tsup.js";

export default library({
  entry: { index: "src/index.ts", reeve: "src/reeve.ts" },
  format: ["esm"],
});
