export { Failure } from "./failure.js";
export { type Service, startService } from "./service/service.js";
export { readSettings, type Settings } from "./settings/settings.js";
