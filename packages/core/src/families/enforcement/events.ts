import type { OwnEvents } from "../events.js";

export const enforcementEvents: OwnEvents = {
  "installation.code.issued":
    "A code that enrols installations was made. `data` holds its `agentId`, `name`, `client`, `maxUses`, `userId`, `team` and `expiresAt`.",
  "installation.enrolled":
    "A place where agents run was enrolled by a code. `data` holds its `client`, `agentId`, `identityId` and the `codeId`.",
  "installation.credential.rotated":
    "An installation took a new credential. `data` holds when the one before stops, as `overlapEndsAt`.",
  "installation.reported":
    "An installation reported something else than before. `data` holds `digest` and `number` of what is in force there, `files`, `clientVersion`, and `unpublishedServers` by name, host or program.",
  "publication.made":
    "What an agent may use in a client was published anew. `data` holds `agentId`, `client`, `number`, `digest`, the `entries` with what the client is held to, what was `leftOut` and why, and `heldTo`: the number of the earlier set that it was taken back to.",
};
