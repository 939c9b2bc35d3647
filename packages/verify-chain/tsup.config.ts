import { library } from "../../scripts/lib/tsup.js";

// The file itself is what is run and imported; this is the same for require().
export default library({ entry: ["src/verify-chain.mjs"], format: ["cjs"], dts: false, shims: true });
