export { unseenAccess } from "./lifecycle/unseen/unseen.js";
