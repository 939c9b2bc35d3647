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

/** The sign-in page and the launcher. */
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
