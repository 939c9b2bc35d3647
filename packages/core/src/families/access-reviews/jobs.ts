import type { Environment } from "#kernel/config/environment.js";
import { type Due, dueBy } from "#kernel/operation/dues.js";
import { runCertificationJobs } from "./certifications/jobs.js";
import { certificationRuns } from "./certifications/schema.js";

/** When this area has timed work. */
export const accessReviewsDues: readonly Due[] = [dueBy(certificationRuns, "dueAt")];

/** Goes on with certifications. */
export const runAccessReviewsJobs = (env: Environment, tenantId: string): Promise<number> =>
  runCertificationJobs(env, tenantId);
