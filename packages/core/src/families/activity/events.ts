import type { OwnEvents } from "../events.js";

export const activityEvents: OwnEvents = {
  "audit.erased":
    "Two people had the data of events erased. `data` holds who they are, the reason, `metadata`, the sequences and, where it was asked for by subject, whose " +
    "they were; the subjects' own activity shows it too. `decisions` has the reasons of decisions among them, with ids in place of names of people.",
  "audit.checkpoint": "A checkpoint of the chain was made: `data.checkpoint`, as the host is given it.",
  "audit.pruned": "Events older than the retention were given up: `data` names their checkpoint and their sequences.",
  "request.denied":
    "A write was refused with 403, 404 or 409. `data` holds the operation, the status, the code and the `target`, a record of the same tenant that the path names; of a batch how many `items` it was. `outcome` is `denied`.",
};
