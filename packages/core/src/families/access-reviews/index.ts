import { extend } from "#kernel/config/extension.js";
import { defineArea } from "#kernel/operation/area.js";
import { fourEyesPlaces } from "#kernel/operation/four-eyes.js";
import { followAsked } from "./certifications/asked/follow.js";
import { askedPanels, askedReviewers } from "./certifications/asked/schema.js";
import { confirmRevocation, endCertification } from "./certifications/close/second.js";
import { followAccess, followProfiles } from "./certifications/follow/follow.js";
import { followReviewers } from "./certifications/follow/people.js";
import { certificationItemStatus } from "./certifications/items/machine.js";
import { certifyItems, listItems, listOwnItems, reviewItem } from "./certifications/items/operations.js";
import { certificationItems } from "./certifications/items/schema.js";
import { certificationStatus } from "./certifications/machine.js";
import {
  cancelCertification,
  closeCertification,
  confirmRevocations,
  createCertificationRequest,
  listCertifications,
  readCertification,
} from "./certifications/operations.js";
import { certificationPermissions } from "./certifications/permissions.js";
import { decideAboutAccess } from "./certifications/review/vote.js";
import { certificationRuns, certifications, reviewPanels } from "./certifications/schema.js";
import { accessReviewsEvents } from "./events.js";
import { accessReviewsDues, runAccessReviewsJobs } from "./jobs.js";

export { askedReviewers } from "./certifications/asked/schema.js";
export { termsFrom } from "./certifications/create/body.js";
export { createCertification } from "./certifications/create/create.js";
export { openEmergencyReview } from "./certifications/create/emergency.js";
export { type AccessFacts, accessFacts, accessPeople, factsOf } from "./certifications/facts/facts.js";
export { handsOfAccess } from "./certifications/reviewers/hands.js";
export { isAmong, Reviewers } from "./certifications/reviewers/people.js";
export { certifications } from "./certifications/schema.js";
export { scopeHashOf } from "./certifications/snapshot/snapshot.js";

/** Certifications: people decide again and again whether access is still needed. */
export const accessReviewsArea = defineArea({
  name: "access-reviews",
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
    reviewItem,
    listOwnItems,
  ],
  follows: [followAsked, followAccess, followProfiles, followReviewers],
  dues: accessReviewsDues,
  tick: runAccessReviewsJobs,
  extends: [
    accessReviewsEvents,
    certificationPermissions,
    extend(fourEyesPlaces, decideAboutAccess),
    extend(fourEyesPlaces, confirmRevocation),
    extend(fourEyesPlaces, endCertification),
  ],
});
