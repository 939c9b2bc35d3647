import { defineResource } from "#families/resource.js";
import { extend } from "#kernel/config/extension.js";
import { defineFollower } from "#kernel/operation/area.js";
import { fourEyesChecks } from "#kernel/operation/four-eyes.js";
import { users } from "../users/schema.js";
import {
  beginOneTimePassword,
  beginPasskey,
  confirmOneTimePassword,
  confirmPasskey,
  enrolFactor,
  readFactors,
  removeOneTimePassword,
  removePasskey,
  renewRecoveryCodes,
} from "./operations.js";
import { dropFactors } from "./queries.js";
import { factorResetStatus } from "./reset/machine.js";
import { decideFactorReset, listFactorResets, readFactorReset, requestFactorReset } from "./reset/operations.js";
import { factorResets } from "./reset/schema.js";
import { secondFactors } from "./schema.js";
import { challengeFactor, proveAgain } from "./step-up/operations.js";
import { checkStepUp } from "./step-up/require-proof.js";
import { factorProofs } from "./step-up/schema.js";

/** Second factors with which people sign in. */
export const secondFactorsResource = defineResource({
  collections: [secondFactors, factorProofs, factorResets],
  machines: [factorResetStatus],
  extends: [extend(fourEyesChecks, checkStepUp)],
  follows: [
    defineFollower(users, async (ctx, { before, after }) => {
      if (before && !after) await dropFactors(ctx, before.id);
    }),
  ],
  operations: [
    readFactors,
    beginOneTimePassword,
    confirmOneTimePassword,
    removeOneTimePassword,
    beginPasskey,
    confirmPasskey,
    removePasskey,
    renewRecoveryCodes,
    enrolFactor,
    challengeFactor,
    proveAgain,
    listFactorResets,
    requestFactorReset,
    readFactorReset,
    decideFactorReset,
  ],
});
