import { recordOperations } from "../records/operations.js";
import { identityKind } from "./record-kind.js";
import { Identity } from "./schema.js";

export const identityOperations = recordOperations({
  kind: identityKind,
  schema: Identity,
  id: "aiIdentities",
  tag: "AI Identities",
  path: "/api/v1/ai/identities",
  one: "AI identity",
  many: "AI identities",
  searched: "name, description, issuer or subject",
  example: { name: "Support agent", kind: "workload", scopes: ["ai-asset:read"] },
});
