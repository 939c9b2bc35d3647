export { type DeliveryBacklog, measureBacklog } from "./backlog/measure-backlog.js";
export { tenantsBehind } from "./backlog/tenants-behind.js";
