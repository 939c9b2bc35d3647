import type { OwnEvents } from "../events.js";

export const accessGrantsEvents: OwnEvents = {
  "access.assignment.expiring":
    "Access ends in a week, a day or an hour, unless somebody asks for more. `data` holds how long is `left`, `expiresAt`, `assetId` and `connectorInstanceId`.",
};
