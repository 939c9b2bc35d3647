export { type ListenerOptions, reeveListener } from "./listener.js";
export { nodeRequest, type RequestFacts } from "./request.js";
export { writeResponse } from "./response.js";
