import { defineArea } from "#families/area.js";
import { auditSinksResource } from "./audit-sinks/resource.js";
import { noticeEvents } from "./events.js";
import { webhooksResource } from "./webhooks/resource.js";

/** How people and other systems hear of what happens in a tenant. */
export const noticesArea = defineArea({
  name: "notices",
  resources: [webhooksResource, auditSinksResource],
  events: noticeEvents,
});
