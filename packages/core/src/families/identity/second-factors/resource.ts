import { defineResource } from "#families/resource.js";
import {
  beginOneTimePassword,
  confirmOneTimePassword,
  enrolFactor,
  readFactors,
  removeOneTimePassword,
  renewRecoveryCodes,
} from "./operations.js";
import { secondFactors } from "./schema.js";

/** Second factors with which people sign in. */
export const secondFactorsResource = defineResource({
  collections: [secondFactors],
  operations: [
    readFactors,
    beginOneTimePassword,
    confirmOneTimePassword,
    removeOneTimePassword,
    renewRecoveryCodes,
    enrolFactor,
  ],
});
