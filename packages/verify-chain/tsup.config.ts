import { library } from "../../scripts/lib/tsup.js";

// The file is run and imported unbuilt. This makes the same for require().
export default library({
  entry: ["src/verify-chain.mjs", "src/verify-slice.mjs"],
  format: ["cjs"],
  dts: false,
  shims: true,
});
