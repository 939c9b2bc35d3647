import type { OwnEvents } from "../events.js";

export const connectorEvents: OwnEvents = {
  "connector.draft_tested":
    "Somebody tested settings that are not stored. `data` holds the `providerKey`, `ok`, the `errorClass` of a failure, the `reason`, and what was `given` besides settings.",
  "connector.secrets.refreshed":
    "A connector has replaced credentials that its target rotates. `data` holds the `names`, and no values.",
};
