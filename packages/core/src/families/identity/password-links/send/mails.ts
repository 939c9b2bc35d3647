import type { Options } from "#families/options.js";
import type { Mail } from "#ports/mailer.js";
import type { User } from "../../users/schema.js";
import type { LinkPurpose } from "../schema.js";

const WORDS: Readonly<Record<LinkPurpose, { subject: string; reason: string; lifetime: string }>> = {
  invitation: {
    subject: "You are invited to",
    reason: "Somebody of your organisation has invited you. Choose a password to begin:",
    lifetime: "three days",
  },
  reset: {
    subject: "Choose a new password for",
    reason: "Your password was reset. Choose a new one:",
    lifetime: "one hour",
  },
};

/** The mail with the link. The token is in the fragment, which browsers send neither to servers nor in referrers. */
export function linkMail(
  options: Pick<Options, "baseUrl" | "setPasswordUrl">,
  user: Pick<User, "username">,
  purpose: LinkPurpose,
  token: string,
): Mail {
  const { subject, reason, lifetime } = WORDS[purpose];
  return {
    to: user.username,
    subject: `${subject} ${new URL(options.baseUrl).host}`,
    text: [
      reason,
      "",
      `    ${options.setPasswordUrl}#token=${token}`,
      "",
      `Your user name is ${user.username}. The link works once, within ${lifetime}.`,
      "If you did not expect this message, you can ignore it.",
      "",
    ].join("\n"),
  };
}
