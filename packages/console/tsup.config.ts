import { fileURLToPath } from "node:url";
import { library } from "../../scripts/lib/tsup.js";
import { buildApp } from "./build-app.js";

export default library({
  shims: true,
  onSuccess: async () => {
    await buildApp(fileURLToPath(new URL("dist/app", import.meta.url)));
  },
});
