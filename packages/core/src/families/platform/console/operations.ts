import { optionsOf } from "#families/options.js";
import type { Environment } from "#kernel/config/environment.js";
import { notFound } from "#kernel/http/errors.js";
import { answerWithFile } from "#kernel/operation/answer-with-file.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { Raw } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { settings } from "../settings/queries.js";
import { PLATFORM_TENANT } from "../tenants/fields.js";
import { tenants } from "../tenants/schema.js";

const shared = { tag: "Reference", access: "public", mount: "console", hidden: true, extension: true } as const;

/** Only files of the pages themselves: no inline script or style, no other origin, no frame around them. */
const STRICT = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
/** The name of an asset says what it holds, so that one name never has two contents. */
const IMMUTABLE = { "cache-control": "public, max-age=31536000, immutable" };

export const consolePage = defineOperation({
  ...shared,
  id: "console.page",
  method: "GET",
  path: "/console",
  below: true,
  summary: "Show the console",
  params: z.object({ below: z.string().optional().meta({ description: "Path within the console." }) }),
  openQuery: true,
  success: { status: 200, media: "text/html" },
  handler: async (ctx, { params }) => {
    const pages = pagesOf(ctx.env);
    return new Raw(pages.page(baseOf(params.below)), "text/html", { headers: STRICT });
  },
});

export const consoleAsset = defineOperation({
  ...shared,
  id: "console.asset",
  method: "GET",
  path: "/console/assets/{asset}",
  summary: "Give a file of the console",
  params: z.object({ asset: z.string().meta({ description: "Name of the file." }) }),
  success: { status: 200, media: "application/octet-stream" },
  handler: async (ctx, { params }) => {
    const file = pagesOf(ctx.env).asset(params.asset);
    if (!file) throw notFound();
    return answerWithFile(file, ctx.request.acceptEncoding, { ...STRICT, ...IMMUTABLE });
  },
});

export const consoleConfig = defineOperation({
  ...shared,
  id: "console.config",
  method: "GET",
  path: "/console/config.json",
  summary: "Tell the console how its host wants it",
  success: { status: 200, media: "application/json" },
  handler: async (ctx) => {
    const options = optionsOf(ctx.env);
    const registration = ctx.env.use(settings).get("registration.policy");
    const { name, logo, accent, links, areas, refuseHidden } = pagesOf(ctx.env).settings;
    const openid = (ctx.env.openid?.providers ?? []).map(({ name, label }) => ({ name, label }));
    const signIn = { password: true, host: options.authenticate !== undefined, openid };
    const isEmpty = registration === "open" && (await hasNoTenant(ctx));
    const config = { name, logo, accent, links, areas, refuseHidden, signIn, registration, isEmpty };
    return new Raw(JSON.stringify(config), "application/json", { headers: STRICT });
  },
});

/** Whether the first organisation is still to be made. Only a server that lets anybody make one tells. */
async function hasNoTenant({ env }: ReadContext): Promise<boolean> {
  const { rows } = await env.store.platform.find(tenants, { size: 2 });
  return rows.every(({ id }) => id === PLATFORM_TENANT);
}

/** Where the files of the console are, seen from a page. It is relative, so that it holds below any prefix and proxy. */
function baseOf(below: string | undefined): string {
  if (below === undefined) return "console/";
  return "../".repeat(below.split("/").length - 1) || "./";
}

function pagesOf({ options: { console } }: Environment) {
  if (console === false) throw notFound();
  return console;
}
