import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { extend } from "#kernel/config/extension.js";
import { recordKinds } from "../records/declare/kinds.js";
import { followRecords } from "../records/follow/links.js";
import {
  createCredential,
  listCredentials,
  revokeIdentityCredential,
  rotateIdentityCredential,
} from "./credential-operations.js";
import { identityStatus } from "./machine.js";
import { identityOperations } from "./operations.js";
import { identityKind } from "./record-kind.js";
import { identities } from "./schema.js";

/** Machine identities and their credentials. */
export const identitiesResource = defineResource({
  collections: [identities],
  machines: [identityStatus],
  operations: [
    identityOperations.list,
    identityOperations.create,
    identityOperations.read,
    identityOperations.replace,
    identityOperations.remove,
    listCredentials,
    createCredential,
    rotateIdentityCredential,
    revokeIdentityCredential,
  ],
  permissions: {
    "ai-identity:read": {
      lets: "See AI identities and what is known of their credentials",
      heldBy: [...READERS, "member"],
    },
    "ai-identity:write": { lets: "Register, change, disable and revoke AI identities", heldBy: ["operator"] },
    "ai-identity:delete": { lets: "Delete AI identities and their assets", heldBy: ["operator"] },
    "ai-identity:credential": {
      lets: "Issue, rotate and revoke credentials of AI identities",
      heldBy: ["operator"],
      peopleOnly: true,
    },
  },
  follows: [followRecords(identityKind)],
  extends: [extend(recordKinds, identityKind)],
});
