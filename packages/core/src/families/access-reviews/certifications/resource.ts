import { defineResource } from "#families/resource.js";
import { askedPanels, askedReviewers } from "./asked-schema.js";
import { confirmRevocation, endCertification } from "./close/second.js";
import { followAccess, followProfiles } from "./follow/follow.js";
import { followReviewers } from "./follow/people.js";
import { followAsked } from "./follow-asked.js";
import { certificationItemStatus } from "./items/machine.js";
import { certifyItems, listItems, listOwnItems, reviewItem, revokeItems } from "./items/operations.js";
import { certificationItems } from "./items/schema.js";
import { certificationStatus } from "./machine.js";
import {
  cancelCertification,
  closeCertification,
  confirmRevocations,
  createCertificationRequest,
  listCertifications,
  readCertification,
} from "./operations.js";
import { decideAboutAccess } from "./review/vote.js";
import { certificationRuns, certifications, reviewPanels } from "./schema.js";

/** Certifications: reviewers confirm or revoke access periodically. */
export const certificationsResource = defineResource({
  collections: [certifications, certificationItems, certificationRuns, reviewPanels, askedPanels, askedReviewers],
  machines: [certificationStatus, certificationItemStatus],
  operations: [
    listCertifications,
    createCertificationRequest,
    readCertification,
    closeCertification,
    confirmRevocations,
    cancelCertification,
    listItems,
    certifyItems,
    revokeItems,
    reviewItem,
    listOwnItems,
  ],
  permissions: {
    "access-certification:write": {
      lets: "Begin, close and cancel certifications of access",
      heldBy: ["governance_officer"],
    },
    "access-certification:review": {
      lets: "Decide about access in certifications that one is a reviewer of",
      heldBy: ["governance_officer", "approver", "operator", "member"],
      peopleOnly: true,
    },
    "access-certification:confirm": {
      lets: "Confirm that a certification revokes much, or what nobody has decided",
      heldBy: ["governance_officer"],
      peopleOnly: true,
    },
  },
  fourEyes: [decideAboutAccess, confirmRevocation, endCertification],
  follows: [followAsked, followAccess, followProfiles, followReviewers],
});
