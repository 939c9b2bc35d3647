import { oneCopy } from "../../scripts/lib/one-copy.js";
import { library } from "../../scripts/lib/tsup.js";

const entry = {
  index: "src/index.ts",
  connectors: "src/connectors/index.ts",
  reference: "src/reference/index.ts",
  store: "src/store/index.ts",
  testing: "src/testing/index.ts",
};

export default library(
  // What the entries share is built once, so that a process has one copy of it whichever entries it loads.
  {
    entry,
    format: ["esm"],
    dts: false,
    splitting: true,
    // They are ES modules alone, which Jest and bundlers of CommonJS cannot require.
    noExternal: ["jose", "@marcbachmann/cel-js"],
    onSuccess: () => oneCopy("dist", Object.keys(entry)),
  },
  { entry, dts: { only: true } },
);
