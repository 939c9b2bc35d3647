import { users } from "#families/identity/index.js";
import type { Dialect } from "#kernel/http/dialect.js";
import { ReeveError } from "#kernel/http/errors.js";
import { escapeHtml } from "#kernel/http/escape-html.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import { Raw } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { textsOf } from "../personal-notices/texts/catalogue.js";
import { PREFERENCE_DEFAULTS } from "./fields.js";
import { noticePreferences } from "./schema.js";
import { type Leaving, openLink, UNSUBSCRIBE_PATH } from "./sign-link.js";

/** Programs of mail send a form. */
const forms: Dialect = Object.freeze({ refusal: (error: ReeveError) => error, wantsPlainJson: () => false });

const shared = {
  tag: "Notices",
  path: UNSUBSCRIBE_PATH,
  access: "public",
  extension: true,
  dialect: forms,
  query: z.strictObject({ token: z.string().min(1).max(2_000).meta({ description: "What the link holds." }) }),
  success: { status: 200, media: "text/html; charset=utf-8", schema: z.string() },
  errors: ["invalid_token"],
} as const;

const HEADERS = {
  "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

export const showLeaving = defineOperation({
  ...shared,
  id: "noticeMails.show",
  method: "GET",
  summary: "Show the page behind the link of a mail that ends mails of its kind",
  description: "It changes nothing: programs open links of mails unasked.",
  async handler(ctx, { query }) {
    const { texts, kinds } = await leavingOf(ctx, query.token);
    return page(`<h1>${texts.leave}</h1>${kinds}<form method="post"><button>${texts.confirm}</button></form>`);
  },
});

export const leaveMails = defineOperation({
  ...shared,
  id: "noticeMails.leave",
  method: "POST",
  effect: "own",
  summary: "End mails of the kinds that the link of a mail names, to the person it was sent to",
  description: "With one click by RFC 8058, or by the page behind the link. People take it back by their preferences.",
  openBody: true,
  body: z
    .looseObject({
      "List-Unsubscribe": z.string().max(100).optional().meta({ description: "As RFC 8058 has it: `One-Click`." }),
    })
    .meta({ id: "NoticeMailsLeaving", example: { "List-Unsubscribe": "One-Click" } })
    .optional(),
  async handler(ctx, { query }) {
    const { leaving, texts, kinds } = await leavingOf(ctx, query.token);
    await leave(ctx, leaving);
    return page(`<h1>${texts.left}</h1>${kinds}`);
  },
});

/** What a link is for, in the words of the person. 401 for one that is none or too old, and once the person is gone. */
async function leavingOf({ env }: ReadContext, token: string) {
  const leaving = openLink(env, token);
  const reader = leaving && env.store.forTenant(leaving.tenantId);
  const [user, preferences] = reader
    ? await Promise.all([reader.get(users, leaving.userId), reader.get(noticePreferences, leaving.userId)])
    : [];
  if (!leaving || !user) throw new ReeveError("invalid_token", "This link is not valid any more.");
  const texts = textsOf((preferences?.value ?? PREFERENCE_DEFAULTS).language);
  const kinds = `<ul>${leaving.kinds.map((kind) => `<li>${escapeHtml(texts.kinds[kind])}</li>`).join("")}</ul>`;
  return { leaving, texts, kinds };
}

async function leave({ env }: ReadContext, { tenantId, userId, kinds }: Leaving): Promise<void> {
  await systemContext(env, tenantId, "notices").write(async (ctx) => {
    const held = (await ctx.db.get(noticePreferences, userId))?.value;
    const { mail: before } = held ?? PREFERENCE_DEFAULTS;
    const mail = { ...before, ...Object.fromEntries(kinds.map((kind) => [kind, "off" as const])) };
    if (held) await ctx.update(noticePreferences, held, { mail });
    else await ctx.insert(noticePreferences, { id: userId, ...PREFERENCE_DEFAULTS, mail });
  });
}

const page = (content: string): Raw =>
  new Raw(`<!doctype html><html><head><meta charset="utf-8"></head><body>${content}</body></html>`, "text/html", {
    headers: HEADERS,
  });
