import { beginEnrolment } from "#families/identity/index.js";
import type { ReeveError } from "#kernel/http/errors.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Raw } from "#kernel/records/outcome.js";
import { answerFactor } from "../../markup/render/factor-pages.js";
import { type Pending, sealRequest } from "../../sign-on/receive/request.js";
import { pageUrl } from "./go-on.js";

/** The one field of the page takes both kinds of codes. Six digits are those of an app. */
export function answerOf(text: string): { readonly code: string } | { readonly recoveryCode: string } {
  const plain = text.replaceAll(/\s/g, "");
  return /^\d{6}$/.test(plain) ? { code: plain } : { recoveryCode: text };
}

/** The page that asks for a code. Whoever has no app yet sets one up on it. */
export async function factorPage(
  ctx: OutsideContext,
  again: { readonly request?: string },
  { members }: ReeveError,
): Promise<Raw> {
  const { challenge, enrol } = members as { readonly challenge: string; readonly enrol: readonly string[] };
  const begun = enrol.includes("totp") ? await beginEnrolment(ctx, challenge) : undefined;
  const { secret, uri } = begun ?? {};
  const shown = secret !== undefined && uri !== undefined ? { begun: { secret, uri } } : {};
  return answerFactor({ ...again, action: pageUrl(ctx, "sign-in"), challenge, ...shown });
}

/** Where somebody goes on to once they have seen their recovery codes. */
export function afterCodes(ctx: ReadContext, pending: Pending | undefined): string {
  const page = pageUrl(ctx, pending ? "sign-in" : "apps");
  return pending ? `${page}?request=${sealRequest(ctx, pending)}` : page;
}
