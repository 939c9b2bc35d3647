import { library } from "../../scripts/lib/tsup.js";

// store-sql is not published, so its code and types are bundled.
export default library({
  noExternal: ["@reeve/store-sql"],
});
