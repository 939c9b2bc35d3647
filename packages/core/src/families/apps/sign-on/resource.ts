import { defineResource } from "#families/resource.js";
import { launchApp, signOnByNonce } from "./operations.js";
import { samlNonces, samlUsedMessages } from "./schema.js";

/** Sign-on to applications by SAML. */
export const signOnResource = defineResource({
  collections: [samlNonces, samlUsedMessages],
  operations: [launchApp, signOnByNonce],
});
