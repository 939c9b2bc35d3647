import type { OwnEvents } from "../events.js";

export const appEvents: OwnEvents = {
  "saml.launched": "Somebody has begun a sign-on to an application.",
  "saml.signed_on": "Somebody has signed on to an application. `data` holds the session and how it was asked for.",
  "saml.session.ended": "A session at an application has ended. `data` holds the `reason`.",
  "saml.message.refused":
    "A message to sign on or out was refused, in the name of an application where `data` holds one, at most 100 times in 15 minutes. `data` holds the `refusal`.",
  "saml.logout.requested": "A logout was asked for, by the application or by the person.",
  "saml.logout.confirmed": "An application has said, from server to server, that a session there is over.",
  "saml.logout.unconfirmed":
    "An application has not said that a session there is over, after five attempts. They go on. `data` holds the `failure`.",
  "saml.key.created": "A key was made that will sign for the tenant, and is in the metadata from now on.",
  "saml.key.activated": "Another key signs from now on. The one before it stays in the metadata for a while.",
  "application.hidden": "Somebody has removed an application from their own.",
};
