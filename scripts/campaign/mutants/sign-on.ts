import { type Mutant, onEveryStore, tests } from "../mutant.js";

const apps = "packages/core/src/families/apps";
const saml = "packages/saml/src";
const links = "packages/core/test/kernel/links.test.ts";

/** Who is asked for more than protects somebody, and what a page of another site can do. */
export const signOn: readonly Mutant[] = [
  {
    breaks: "a link on any page logs its reader out of everything",
    file: `${apps}/logout/operations.ts`,
    text: "return isByLink ? answerConfirmLogout(logoutUrl(ctx)) : logOut(ctx);",
    replacement: "return logOut(ctx);",
    witnesses: tests(
      links,
      "with the cookie of the pages in a browser a link on a page of another site changes nothing, whichever operation it leads to",
      "with a cookie of the host in a browser a link on a page of another site changes nothing, whichever operation it leads to",
    ),
  },
  {
    breaks: "a form on a page of another site logs its reader out of everything",
    file: `${apps}/logout/operations.ts`,
    text: "    requireOwnForm(ctx);\n    return logOut(ctx);",
    replacement: "    return logOut(ctx);",
    witnesses: tests(
      links,
      "with the cookie of the pages in a browser a form on a page of another site is refused, whichever operation it leads to",
    ),
  },
  {
    breaks: "a form on a page of another site acts with what a host knows its people by",
    file: "packages/core/src/kernel/pipeline/foreign-form.ts",
    text: "if (sendsToken(request) || isJson(request) || !isFromElsewhere(request, baseUrl)) return;",
    replacement: "if (sendsToken(request) || isJson(request) || baseUrl) return;",
    witnesses: tests(
      links,
      "with a cookie of the host in a browser a form on a page of another site is refused, whichever operation it leads to",
    ),
  },
  {
    breaks: "an application whose metadata hold a key for logouts must sign its requests",
    file: `${saml}/message/authn-request.ts`,
    text: "expected.signedRequests ?? false",
    replacement: "expected.certificates.length > 0",
    witnesses: tests(
      "packages/saml/test/hostile.test.ts",
      "a sound message may be unsigned if it asks to sign on and the application need not sign, whatever its certificates are for",
    ),
  },
  {
    breaks: "an application that says that it signs need not",
    file: `${apps}/sign-on/receive/message.ts`,
    text: "signedRequests: app.signedRequests,",
    replacement: "signedRequests: false,",
    witnesses: onEveryStore(
      "packages/core/test/apps/each-store/sign-on.test.ts",
      "a request of an application may be unsigned, whatever certificates the application has, until it must be signed",
    ),
  },
  {
    breaks: "one key that cannot be used refuses all metadata",
    file: `${saml}/metadata/keys.ts`,
    text: "if (!SamlError.is(error)) throw error;",
    replacement: "throw error;",
    witnesses: tests(
      "packages/saml/test/taken.test.ts",
      "metadata of an application are taken without a key that cannot be used, and say so: signing",
    ),
  },
];
