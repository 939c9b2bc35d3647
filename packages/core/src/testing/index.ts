export { profileDefinitionHash } from "../families/access/index.js";
export { requestScopeHash } from "../families/access-requests/index.js";
export { scopeHashOf as accessScopeHash } from "../families/access-reviews/index.js";
export {
  manifestDigest as mcpManifestDigest,
  promptPin as mcpPromptPin,
  templatePin as mcpResourceTemplatePin,
  toolPin as mcpToolPin,
} from "../families/estate/index.js";
export { opened as openedFinding } from "../families/findings/index.js";
export { PLATFORM_TENANT } from "../families/platform/index.js";
export { draftEvent, eventText } from "../kernel/events/events.js";
export { defineCollection } from "../kernel/records/collection.js";
export { manualClock } from "../ports/clock.js";
export { ulidSource } from "../ports/ids.js";
