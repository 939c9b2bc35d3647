export type { Obligation } from "./answer.js";
export type { Backend, Question, Watch, WatchOptions } from "./backend.js";
export { type Called, type CallOptions, type Guard, type GuardOptions, openGuard } from "./guard.js";
export { type HttpOptions, http } from "./http.js";
export { type ControlPlaneLike, inProcess, type SessionGuardLike } from "./in-process.js";
export type { Outcome, Refusal, RefusalCode } from "./refusal.js";
export { RunEndedError, runEndedOf } from "./run-ended.js";
export { AnswerError } from "./send.js";
export type { Credential } from "./tokens.js";
