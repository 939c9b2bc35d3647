import { application } from "../../scripts/lib/tsup.js";

export default application({ entry: ["src/main.ts", "src/rotate-keys.ts", "src/import.ts", "src/report.ts"] });
