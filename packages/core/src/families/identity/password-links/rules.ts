import type { Credential } from "../users/passwords/credentials.js";
import type { User } from "../users/schema.js";
import type { LinkPurpose, PasswordLink } from "./schema.js";

const HOUR = 3_600_000;

/** How long a link works once it is mailed, in milliseconds. */
export const LINK_LIFETIME: Readonly<Record<LinkPurpose, number>> = { invitation: 72 * HOUR, reset: HOUR };

/** How often a mail is tried, and how long to wait after the try of this number (from 1), in milliseconds. */
export const MAIL_TRIES = 6;
export const mailDelay = (tries: number): number => 60_000 * 4 ** (tries - 1);

/** Invited users set a password by an invitation, active users by a reset. */
const STATUS: Readonly<Record<LinkPurpose, User["status"]>> = { invitation: "invited", reset: "active" };

/** Whether a link still stands for this user: status and credential are what they were when it was issued. */
export function stillStands(
  link: Pick<PasswordLink, "purpose" | "securityVersion">,
  user: Pick<User, "status"> | undefined,
  credential: Pick<Credential, "securityVersion"> | undefined,
): boolean {
  return user?.status === STATUS[link.purpose] && credential?.securityVersion === link.securityVersion;
}
