import { writeFileSync } from "node:fs";
import { library } from "../../scripts/lib/tsup.js";

const entry = {
  index: "src/index.ts",
  reference: "src/reference/index.ts",
  store: "src/store/index.ts",
  testing: "src/testing/index.ts",
};

export default [
  // What the entries share is built once, so that a process has one copy of it whichever entries it loads.
  library({
    entry,
    format: ["esm"],
    dts: false,
    splitting: true,
    // Shared files are named by their content, so those of earlier builds would stay.
    clean: true,
    // Without it the package outgrows its limit; names stay, for stacks that can be read.
    esbuildOptions(options) {
      options.minifyWhitespace = true;
    },
    // Every version of Node that is supported can require ES modules, so require() gives the same copy as import.
    onSuccess: async () => {
      for (const name of Object.keys(entry))
        writeFileSync(`dist/${name}.cjs`, `module.exports = require("./${name}.js");\n`);
    },
  }),
  library({ entry, dts: { only: true } }),
];
