import { defineArea } from "#families/area.js";
import { auditSinksResource } from "./audit-sinks/resource.js";
import { chatChannelsResource } from "./chat-channels/resource.js";
import { delegationsResource } from "./delegations/resource.js";
import { noticeEvents } from "./events.js";
import { personalNoticesResource } from "./personal-notices/resource.js";
import { preferencesResource } from "./preferences/resource.js";
import { webhooksResource } from "./webhooks/resource.js";

/** How people and other systems hear of what happens in a tenant. */
export const noticesArea = defineArea({
  name: "notices",
  resources: [
    personalNoticesResource,
    preferencesResource,
    delegationsResource,
    chatChannelsResource,
    webhooksResource,
    auditSinksResource,
  ],
  events: noticeEvents,
});
