import type { OwnEvents } from "../events.js";

export const accessDriftEvents: OwnEvents = {
  "access.assignment.repair_started":
    "Somebody had the target put right. `data` holds the `action`, the `presence` before it and the `reason`.",
  "access.assignment.unused_noticed":
    "Access is not used, and ends unless it is used before. `data` holds `assetId`, `connectorInstanceId`, the `days` and when it `endsAt`.",
  "access.assignment.unused_restored":
    "Access that had notice because it was not used lasts as long as before. `data` holds `assetId`, `connectorInstanceId` and the end.",
  "access.drift.followed_up":
    "Somebody has made a request or a certification of a difference. `data` holds the `action`, the `followUpId` and the `reason`.",
  "access.assignment.attestation_asked":
    "Somebody says that a target has critical access no more, and a four-eyes approver is to say so too. `data` holds the `evidence` and `ticketRef`.",
  "access.assignment.verified":
    "Somebody asked the target whether access is there. `data` holds its `presence` and whether that is `authoritative`.",
  "access.usage.exported":
    "Uses of access of an asset were exported. `data` holds `format`, `rows`, `from`, `to`, the `sha256` and whether it was the last part.",
};
