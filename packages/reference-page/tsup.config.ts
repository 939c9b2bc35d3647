import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { library } from "../../scripts/lib/tsup.js";
import { VIEWER_FILES } from "./src/viewer-files.js";

const { resolve } = createRequire(import.meta.url);

// Publishes the few files that the page needs, with their licences. swagger-ui-dist is eight times their size and has a
// dependency that reports installations.
export default library({
  shims: true,
  onSuccess: async () => {
    copyFileSync("src/client-calls.mjs", "dist/client-calls.mjs");
    mkdirSync("dist/swagger-ui", { recursive: true });
    const copy = (name: string, as: string) =>
      copyFileSync(resolve(`swagger-ui-dist/${name}`), `dist/swagger-ui/${as}`);
    for (const name of [...Object.keys(VIEWER_FILES), "swagger-ui-bundle.js.LICENSE.txt"]) copy(name, name);
    copy("LICENSE", "swagger-ui.LICENSE.txt");
    copy("NOTICE", "swagger-ui.NOTICE.txt");
  },
});
