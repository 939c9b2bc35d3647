export { askedReviewers } from "./certifications/asked-schema.js";
export { type AccessFacts, accessFacts, accessPeople, factsOf } from "./certifications/certification-facts.js";
export { termsFrom } from "./certifications/create/body.js";
export { createCertification } from "./certifications/create/create.js";
export { openEmergencyReview } from "./certifications/create/emergency.js";
export { involvedInAccess } from "./certifications/reviewers/involved-in-access.js";
export { isAmong, Reviewers } from "./certifications/reviewers/people.js";
export { certifications } from "./certifications/schema.js";
export { scopeHashOf } from "./certifications/take-snapshot.js";
