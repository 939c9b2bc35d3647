import { defineResource } from "#families/resource.js";
import { attempts } from "../attempts/schema.js";
import { authPing, createBrowserSession, resetPassword, signIn } from "./operations.js";

/** Sign-in and sign-out of people, and how far each limit on attempts is used up. */
export const signInResource = defineResource({
  collections: [attempts],
  operations: [signIn, createBrowserSession, resetPassword, authPing],
});
