import { existsSync, readdirSync } from "node:fs";
import { library } from "../../scripts/lib/tsup.js";

/** Folders without an index are what several connectors share. */
const names = readdirSync("src").filter((name) => existsSync(`src/${name}/index.ts`));

/** One entry for each connector, so that an app loads only what it uses. */
const entry = Object.fromEntries(names.map((name) => [name, `src/${name}/index.ts`]));

export default library({ entry });
