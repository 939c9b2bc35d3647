import type { OwnEvents } from "../events.js";

export const accessRequestsEvents: OwnEvents = {
  "access.request.re_evaluated":
    "What a request takes has changed, and its people are asked anew. `data` holds the `scopeHash`.",
  "access.request.vote_recorded":
    "An approver has decided about a request, and others are to decide too. `data` holds the `stage`, from 0, the `decision` and the `reason`.",
  "access.request.commented": "Somebody who is asked has remarked on a request. `data` holds the `reason`.",
  "access.request.info_requested": "Somebody who is asked wants to know more of a request. `data` holds the `reason`.",
  "access.request.unmanned":
    "A request asks fewer people than it needs, because no others may decide it. `data` holds the `stage`, `candidates` and `needed`.",
  "access.request.escalated": "Nobody had decided a request in time, and others are asked. `data` holds the `stage`.",
  "access.request.emergency_granted":
    "Emergency access is granted, and somebody else is to look at it afterwards. `data` holds `requestedBy`, the `reason`, `assignmentIds` and `certificationId`.",
};
