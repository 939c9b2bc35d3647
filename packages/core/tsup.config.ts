import { library } from "../../scripts/lib/tsup.js";

// canonicalize has no CommonJS entry, so it is bundled.
export default library({ noExternal: ["canonicalize"] });
