import { bearerKinds } from "#families/identity/index.js";
import { defineResource } from "#families/resource.js";
import { READERS } from "#families/roles.js";
import { extend } from "#kernel/config/extension.js";
import { installationBearer } from "./credentials/bearer.js";
import { installationDues, runInstallationJobs } from "./jobs.js";
import { enrolmentCodeStatus, installationStatus } from "./machine.js";
import {
  createCode,
  enrolInstallation,
  listCodes,
  listInstallations,
  readCode,
  readInstallation,
  reportInstallation,
  revokeEnrolmentCode,
  revokeOneInstallation,
  rotateInstallationCredential,
} from "./operations.js";
import { dropWithIdentity } from "./revoke-installation.js";
import { enrolmentCodes, installationKeys, installations } from "./schema.js";

/** Places where agents run and ask, the codes that enrol them, and their credentials. */
export const installationsResource = defineResource({
  collections: [installations, enrolmentCodes, installationKeys],
  machines: [installationStatus, enrolmentCodeStatus],
  operations: [
    listCodes,
    createCode,
    readCode,
    revokeEnrolmentCode,
    enrolInstallation,
    rotateInstallationCredential,
    listInstallations,
    readInstallation,
    reportInstallation,
    revokeOneInstallation,
  ],
  permissions: {
    "installation:read": { lets: "See installations and enrolment codes", heldBy: READERS },
    "installation:enrol": {
      lets: "Make and withdraw codes that enrol installations of agents that one answers for",
      heldBy: ["operator"],
      peopleOnly: true,
    },
    "installation:revoke": { lets: "Revoke installations", heldBy: ["governance_officer", "operator"] },
    "installation:act": { lets: "Ask and report as an enrolled installation", heldBy: [] },
  },
  follows: [dropWithIdentity],
  dues: installationDues,
  tick: runInstallationJobs,
  extends: [extend(bearerKinds, installationBearer)],
});
