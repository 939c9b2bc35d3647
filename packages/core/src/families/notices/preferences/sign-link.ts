import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import { daysMs } from "#ports/durations.js";
import { z } from "#schema/z.js";
import { Kind, type NoticeKind } from "../personal-notices/fields.js";

export const UNSUBSCRIBE_PATH = "/api/v1/notice-mails/unsubscribe";
/** Binds the token to this purpose: the box opens it for no other. */
const PURPOSE = "notice unsubscribe";
const LIFETIME = daysMs(60);

const Left = z.object({ tenantId: z.string(), userId: z.string(), kinds: z.array(Kind), endsAt: z.number() });

/** Whose mails of which kinds a link ends. */
export interface Leaving {
  readonly tenantId: string;
  readonly userId: string;
  readonly kinds: readonly NoticeKind[];
}

/** The link that ends mails of these kinds to one person. Whoever opens it sees a page; sending that page ends them. */
export function unsubscribeUrl(env: Environment, leaving: Leaving): string {
  const token = env.secretBox.seal(JSON.stringify({ ...leaving, endsAt: env.clock.now() + LIFETIME }), PURPOSE);
  return `${optionsOf(env).baseUrl}${UNSUBSCRIBE_PATH}?token=${token}`;
}

/** What a link is for; `undefined` for one that is not of this service, was changed, or is too old. */
export function openLink(env: Environment, token: string): Leaving | undefined {
  const text = env.secretBox.open(token, PURPOSE);
  if (text === undefined) return undefined;
  const { endsAt, ...leaving } = Left.parse(JSON.parse(text));
  return endsAt > env.clock.now() ? leaving : undefined;
}
