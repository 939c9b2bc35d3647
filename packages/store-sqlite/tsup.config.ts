import { library } from "../../scripts/lib/tsup.js";

// store-sql is never published: its code and its types are bundled. For the types it has to look like sources of ours.
export default library({
  noExternal: ["@reeve/store-sql"],
  dts: { compilerOptions: { paths: { "@reeve/store-sql": ["../store-sql/src/index.ts"] } } },
});
