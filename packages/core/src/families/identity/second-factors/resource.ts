import { defineResource } from "#families/resource.js";
import { defineFollower } from "#kernel/operation/area.js";
import { users } from "../users/schema.js";
import {
  beginOneTimePassword,
  confirmOneTimePassword,
  enrolFactor,
  readFactors,
  removeOneTimePassword,
  renewRecoveryCodes,
} from "./operations.js";
import { dropFactors } from "./queries.js";
import { secondFactors } from "./schema.js";

/** Second factors with which people sign in. */
export const secondFactorsResource = defineResource({
  collections: [secondFactors],
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
    renewRecoveryCodes,
    enrolFactor,
  ],
});
