export { installations } from "./installations/schema.js";
