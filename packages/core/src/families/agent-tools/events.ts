import type { OwnEvents } from "../events.js";

export const agentToolsEvents: OwnEvents = {
  "access.runtime.tested":
    "Somebody tested whether an asset could run a tool. `data` holds the `verdict`, what was asked for, the step that it `stoppedAt` and the `reason`.",
  "access.token.issued":
    "A token for tools was issued. `data` holds its `assetId`, `tools`, `constraints`, `assignmentIds`, `expiresAt`, `honeytoken`, `sessionId` and the `reason`.",
  "access.assertion.issued":
    "An agent was given an identity assertion for a person. `data` names it by its `assertionId`, never by its text, with `agentId`, `serverId`, `userId`, `audience`, `resource`, `clientId`, `scopes`, `assignmentIds` and `expiresAt`.",
  "access.assertion.refused":
    "An identity that proved itself was refused an identity assertion. `data.reasons` says why; `outcome` is `denied`.",
  "access.token.honeytoken_used":
    "Somebody has used a trap: a token that was put somewhere to be found. `data` holds the `assetId` and the network that it came `from`.",
};
