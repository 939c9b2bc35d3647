import { application } from "../../scripts/lib/tsup.js";

export default application();
