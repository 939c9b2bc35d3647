import { library } from "../../scripts/lib/tsup.js";

export default library({
  entry: { index: "src/index.ts", reeve: "src/reeve.ts" },
  format: ["esm"],
  // Files that both entries share are named by their content, so those of earlier builds would stay.
  clean: true,
});
