import { library } from "../../scripts/lib/tsup.js";

export default library();
