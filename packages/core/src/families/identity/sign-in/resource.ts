import { defineResource } from "#families/resource.js";
import { authPing, resetPassword, signIn } from "./operations.js";

/** Sign-in and sign-out of people. */
export const signInResource = defineResource({
  operations: [signIn, resetPassword, authPing],
});
