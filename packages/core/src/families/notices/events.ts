import type { OwnEvents } from "../events.js";

export const noticeEvents: OwnEvents = {
  "notice.given":
    "People were told of a matter. `data` holds the `kind` of notice, the kind of review that waits, as `matter`, and ids of the `people`.",
  "webhook.secret.rotated":
    "A webhook got a new secret. `data` holds how often, as `rotations`, and until when messages are signed by the one before as well, as `overlapEndsAt`.",
  "webhook.behind":
    "A webhook has taken no message for longer than the host allows. `data` holds since when, as `failingSince`, how often it was tried, as `failures`, and the code of the `lastFailure`.",
  "audit.sink_behind":
    "A system of the host that keeps the record has taken no event for longer than the host allows. `data` holds since when, as `failingSince`, and the last sequence that it has, as `position`.",
  "webhook.replayed":
    "A webhook sends again what it has sent before. `data` holds the sequence after which it begins, as `after`, or the `eventId` of the only one.",
};
