import { lazyBundle } from "../../scripts/lib/bundle/lazy-bundle.js";
import { DESCRIPTIONS, makeDescriptions } from "../../scripts/lib/bundle/made-descriptions.js";
import { oneCopy } from "../../scripts/lib/bundle/one-copy.js";
import { isOfTypes, library } from "../../scripts/lib/tsup.js";

const entry = {
  index: "src/index.ts",
  connectors: "src/connectors/index.ts",
  names: "src/names/index.ts",
  reference: "src/reference/index.ts",
  store: "src/store/index.ts",
  testing: "src/testing/index.ts",
};

/** What reads time stamps, with what that takes. */
const ASN1 = ["pkijs", "asn1js", "bytestreamjs", "@peculiar/utils", "@noble/hashes"];

export default async () => {
  if (!isOfTypes) {
    // What the entries share is built once, so that a process has one copy of it whichever entries it loads.
    await lazyBundle({
      directory: import.meta.dirname,
      entry,
      // They are ES modules alone, which Jest and bundlers of CommonJS cannot require. Of zod a start needs a part: the whole has
      // the texts of fifty languages.
      bundled: ["jose", "@marcbachmann/cel-js", "smol-toml", "pbf", "zod", ...ASN1],
      effects: [/[/]zod[/]v4[/]classic[/]external[.]js$/],
      apart: ["names", "store", "connectors"],
      alone: [DESCRIPTIONS],
    });
    await oneCopy("dist", Object.keys(entry));
    await makeDescriptions("dist");
  }
  return library({ entry, dts: { only: true } });
};
