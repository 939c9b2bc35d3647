export { type ListenerOptions, reeveListener } from "./listener.js";
export { nodeRequest, type ParsedRequest, type RequestFacts } from "./request.js";
export { writeResponse } from "./response.js";
