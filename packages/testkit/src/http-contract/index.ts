export { httpCases } from "./cases/index.js";
export { HOST_NOT_FOUND } from "./compare.js";
export { describeHttpContract, type HttpContractOptions, type RunningServer, type ServerConfig } from "./suite.js";
