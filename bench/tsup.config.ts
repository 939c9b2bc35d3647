import { application } from "../scripts/lib/tsup.js";

export default application({ tsconfig: "../tsconfig.build.json" });
