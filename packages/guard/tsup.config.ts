import { existsSync, readdirSync } from "node:fs";
import { library } from "../../scripts/lib/tsup.js";

/** One entry for each framework, so that an app loads only what it uses. */
const names = readdirSync("src").filter((name) => existsSync(`src/${name}/index.ts`));
const entry = Object.fromEntries(names.map((name) => [name, `src/${name}/index.ts`]));

export default library({ entry: { index: "src/index.ts", ...entry } });
