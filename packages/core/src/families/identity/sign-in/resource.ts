import { defineResource } from "#families/resource.js";
import { attempts } from "../attempts/schema.js";
import { finishOpenidSignIn, startOpenidSignIn } from "./openid/operations.js";
import { authPing, createBrowserSession, resetPassword, signIn } from "./operations.js";

/** Sign-in and sign-out of people, and how far each limit on attempts is used up. */
export const signInResource = defineResource({
  collections: [attempts],
  operations: [signIn, createBrowserSession, startOpenidSignIn, finishOpenidSignIn, resetPassword, authPing],
});
