import type { AccessIdentity } from "#families/access/index.js";
import { grantKeyOf } from "#families/access-grants/index.js";
import type { DriftObservation } from "../../drift/note-drift.js";
import type { ListedCredential } from "./list.js";

/** A credential as a difference: nobody granted it, and whoever has it is the principal. */
export function credentialObservation(
  { assetId, connectorInstanceId, principal }: AccessIdentity,
  { externalId, ...credential }: ListedCredential,
  isShared: boolean,
): DriftObservation {
  const about = {
    ...{ connectorInstanceId, principal, parameters: {} },
    ...{ resource: { type: "credential", externalId }, profileExternalId: credential.type },
  };
  return {
    kind: "unknown_credential",
    ...about,
    ...{ grantKey: grantKeyOf(about), assignmentId: null, assetId: isShared ? null : assetId },
    ...{ resourceId: null, accessProfileId: null, immutable: false, privilegeLevel: null, certain: false },
    diff: [{ field: "credential", desired: null, observed: credential }],
  };
}
