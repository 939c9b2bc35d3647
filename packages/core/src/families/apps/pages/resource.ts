import { defineResource } from "#families/resource.js";
import {
  readSamlMetadata,
  showLauncher,
  signInOnPage,
  signInPageOperation,
  ssoPost,
  ssoRedirect,
  startFromLauncher,
} from "./operations.js";

/** Pages and endpoints of sign-on, for browsers. */
export const pagesResource = defineResource({
  operations: [
    readSamlMetadata,
    ssoRedirect,
    ssoPost,
    signInPageOperation,
    signInOnPage,
    showLauncher,
    startFromLauncher,
  ],
});
