export { nearName, nearNames } from "./near-name.js";
