import { library } from "../../scripts/lib/tsup.js";

// What the entries share is built once, so that a process has one copy of it whichever entries it loads.
export default library({
  entry: {
    index: "src/index.ts",
    reference: "src/reference/index.ts",
    store: "src/store/index.ts",
    testing: "src/testing/index.ts",
  },
  splitting: true,
  // Shared files are named by their content, so those of earlier builds would stay.
  clean: true,
  // Without it the package outgrows its limit; names stay, for stacks that can be read.
  esbuildOptions(options) {
    options.minifyWhitespace = true;
  },
});
