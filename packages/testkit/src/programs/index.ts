export { type CerbosRule, type CerbosServer, cerbosProgram, startCerbos } from "./cerbos.js";
export { type Program, program } from "./program.js";
export { type RealSystem, realSystem, type SystemSource } from "./real-system.js";
export {
  type StampAnswer,
  type StampKey,
  TimeStampingAuthority,
} from "./time-stamping-authority.js";
