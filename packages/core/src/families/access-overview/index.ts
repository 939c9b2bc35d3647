export { unseenAccess } from "./lifecycle/unseen-access.js";
