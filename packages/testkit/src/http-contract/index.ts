export { httpCases } from "./cases/index.js";
export { HOST_NOT_FOUND } from "./compare.js";
export type { HttpContractOptions, RunningServer, ServerConfig } from "./options.js";
export { describeHttpContract } from "./suite.js";
