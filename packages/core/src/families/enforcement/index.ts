export { installations } from "./installations/schema.js";
export { HELD_TO } from "./publications/fields.js";
export { GOOD_FOR, type JudgedServers, judgeServers } from "./publications/judge-servers.js";
