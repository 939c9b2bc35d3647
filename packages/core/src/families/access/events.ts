import { defineEvents } from "../events.js";

export const accessEvents = defineEvents({
  "access.assignment.repair_started":
    "Somebody had the target put right. `data` holds the `action`, the `presence` before it and the `reason`.",
  "access.assignment.expiring":
    "Access ends in a week, a day or an hour, unless somebody asks for more. `data` holds how long is `left`, `expiresAt`, `assetId` and `connectorInstanceId`.",
  "access.assignment.unused_noticed":
    "Access is not used, and ends unless it is used before. `data` holds `assetId`, `connectorInstanceId`, the `days` and when it `endsAt`.",
  "access.assignment.unused_restored":
    "Access that had notice because it was not used lasts as long as before. `data` holds `assetId`, `connectorInstanceId` and the end.",
  "access.drift.followed_up":
    "Somebody has made a request or a certification of a difference. `data` holds the `action`, the `followUpId` and the `reason`.",
  "access.assignment.attestation_asked":
    "Somebody says that a target has critical access no more, and a second person is to say so too. `data` holds the `evidence` and `ticketRef`.",
  "access.assignment.verified":
    "Somebody asked the target whether access is there. `data` holds its `presence` and whether that is `authoritative`.",
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
  "access.certification.stage_completed":
    "A stage of a certification is over, and the next one asks other reviewers. `data` holds the `stage`, from 0.",
  "access.certification.escalated":
    "What nobody had decided in time was put to the owner of a certification. `data` holds the `stage`.",
  "access.certification_item.voted":
    "A reviewer decided about access, and others are to decide too. `data` holds the `decision`; `null` where it was taken back.",
  "access.runtime.tested":
    "Somebody tested whether an asset could run a tool. `data` holds the `verdict`, what was asked for, the step that it `stoppedAt` and the `reason`.",
  "access.token.issued":
    "A token for tools was issued. `data` holds its `assetId`, `tools`, `constraints`, `assignmentIds`, `expiresAt`, `decoy`, `sessionId` and the `reason`.",
  "access.token.decoy_used":
    "Somebody has used a trap: a token that was put somewhere to be found. `data` holds the `assetId` and the network that it came `from`.",
  "access.usage.exported":
    "Uses of access of an asset were exported. `data` holds `format`, `rows`, `from`, `to`, the `sha256` and whether it was the last part.",
  "access.certification_item.delegated":
    "A reviewer handed access to another one. `data` holds `from`, `to` and the `reason`.",
  "access.certification_item.reassigned":
    "Nobody who was asked to review access can any more, and others are asked. `data` holds `from`, `to`, empty where nobody is left, and the `reason`.",
});
