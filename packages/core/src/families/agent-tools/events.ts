import type { OwnEvents } from "../events.js";

export const agentToolsEvents: OwnEvents = {
  "access.runtime.tested":
    "Somebody tested whether an asset could run a tool. `data` holds the `verdict`, what was asked for, the step that it `stoppedAt` and the `reason`.",
  "access.token.issued":
    "A token for tools was issued. `data` holds its `assetId`, `tools`, `constraints`, `assignmentIds`, `expiresAt`, `honeytoken`, `sessionId` and the `reason`.",
  "access.token.honeytoken_used":
    "Somebody has used a trap: a token that was put somewhere to be found. `data` holds the `assetId` and the network that it came `from`.",
};
