import { hoursMs, minutesMs } from "#ports/durations.js";
import type { Credential } from "../users/passwords/credentials.js";
import type { User } from "../users/schema.js";
import type { LinkPurpose, PasswordLink } from "./schema.js";

/** How long a mailed link is valid, in milliseconds. */
export const LINK_LIFETIME: Readonly<Record<LinkPurpose, number>> = { invitation: hoursMs(72), reset: hoursMs(1) };

/** How often a mail is tried, and the pause after the given try (from 1), in milliseconds. */
export const MAIL_TRIES = 6;
export const mailDelay = (tries: number): number => minutesMs(1) * 4 ** (tries - 1);

/** Invitations are for invited users, resets for active ones. */
const STATUS: Readonly<Record<LinkPurpose, User["status"]>> = { invitation: "invited", reset: "active" };

/** Whether a link is still valid: the user's status and credential are as they were at its issue. */
export function stillStands(
  link: Pick<PasswordLink, "purpose" | "securityVersion">,
  user: Pick<User, "status"> | undefined,
  credential: Pick<Credential, "securityVersion"> | undefined,
): boolean {
  return user?.status === STATUS[link.purpose] && credential?.securityVersion === link.securityVersion;
}
