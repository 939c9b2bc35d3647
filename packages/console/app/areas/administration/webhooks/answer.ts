import { t } from "../../../texts/index.js";
import type { WebhookAttempt } from "../terms.js";

/** The status that a receiver answered, and the code of why it failed. */
export const answerOf = ({ httpStatus, failure }: Pick<WebhookAttempt, "httpStatus" | "failure">): string =>
  [httpStatus ?? t.webhooks.attempts.none, failure].filter((one) => one !== null).join(", ");
