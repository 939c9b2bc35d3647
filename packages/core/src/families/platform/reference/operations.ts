import { z } from "zod";
import { defineService } from "../../../kernel/environment.js";
import { notFound } from "../../../kernel/errors.js";
import { defineOperation } from "../../../kernel/operation.js";
import { Raw } from "../../../kernel/outcome.js";

/** Holds the interface description of this control plane; filled in once all families are known. */
export const interfaceDescription = defineService<{ text: string }>("platform.reference", () => ({ text: "" }));

const shared = { tag: "Reference", access: "public", mount: "reference", hidden: true, extension: true } as const;

export const openapiDocument = defineOperation({
  ...shared,
  id: "reference.openapi",
  method: "GET",
  path: "/openapi.json",
  summary: "Give the interface description",
  success: { status: 200, media: "application/json" },
  handler: async (ctx) => new Raw(ctx.env.use(interfaceDescription).text, "application/json"),
});

const STYLE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

export const referencePage = defineOperation({
  ...shared,
  id: "reference.page",
  method: "GET",
  path: "/docs",
  summary: "Show the interface description",
  success: { status: 200, media: "text/html" },
  errors: ["not_found"],
  handler: async (ctx) => asset(ctx.env.options.reference, "index.html", ctx.request.mountPath),
});

export const referenceAsset = defineOperation({
  ...shared,
  id: "reference.asset",
  method: "GET",
  path: "/docs/{asset}",
  summary: "Give a file of the reference page",
  params: z.object({ asset: z.string() }),
  success: { status: 200, media: "application/octet-stream" },
  handler: async (ctx, { params }) => asset(ctx.env.options.reference, params.asset, ctx.request.mountPath),
});

function asset(
  reference: boolean | { get(name: string): { contentType: string; body: Uint8Array } | undefined },
  name: string,
  mountPath: string,
): Raw {
  const file = typeof reference === "object" ? reference.get(name) : undefined;
  if (!file) throw notFound();
  const headers = { "content-security-policy": STYLE_POLICY, "referrer-policy": "no-referrer" };
  if (name !== "index.html")
    return new Raw(file.body, file.contentType, { headers: { ...headers, "cache-control": "max-age=3600" } });
  const html = new TextDecoder().decode(file.body).replaceAll("{mount}", mountPath);
  return new Raw(html, file.contentType, { headers });
}
