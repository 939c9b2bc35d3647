import { defineService } from "#kernel/config/environment.js";
import { notFound } from "#kernel/http/errors.js";
import { answerWithFile } from "#kernel/operation/answer-with-file.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { tableOf } from "#kernel/operation/table.js";
import { openapiOf } from "#kernel/pipeline/openapi/document.js";
import type { Raw } from "#kernel/records/outcome.js";
import { z } from "#schema/z.js";
import { atOnce, inTurns, yieldToEventLoop } from "#store/event-loop.js";
import { descriptionName, MADE } from "./made-descriptions.js";

const utf8 = new TextEncoder();

/** The bytes of a description that the build made, a piece at a time, so that none holds the event loop. */
async function unpacked(parts: readonly string[], address: string): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (const [at, part] of parts.entries()) {
    if (at > 0) pieces.push(utf8.encode(JSON.stringify(address)));
    await yieldToEventLoop();
    const stream = new Blob([Buffer.from(part, "base64")]).stream().pipeThrough(new DecompressionStream("gzip"));
    for await (const piece of stream) pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/**
 * The OpenAPI document of this control plane. The build makes the text of the usual mounts. All else is made on the first
 * request, in turns of the event loop when asked for over HTTP.
 */
export const interfaceDescription = defineService("platform.reference", (env) => {
  let made: Record<string, unknown> | undefined;
  let bytes: Promise<Uint8Array> | undefined;
  const steps = () => openapiOf(env.use(tableOf), env.options);
  const written = async () => {
    // The request has loaded a part of this package, and what the build made is another one.
    await yieldToEventLoop();
    const byBuild = MADE[descriptionName(env.options)];
    if (byBuild !== undefined && made === undefined) return unpacked(byBuild, env.options.baseUrl);
    made ??= await inTurns(steps());
    return utf8.encode(JSON.stringify(made));
  };
  return { document: () => (made ??= atOnce(steps())), bytes: () => (bytes ??= written()) };
});

const shared = { tag: "Reference", access: "public", mount: "reference", hidden: true, extension: true } as const;

export const openapiDocument = defineOperation({
  ...shared,
  id: "reference.openapi",
  method: "GET",
  path: "/openapi.json",
  summary: "Give the interface description",
  success: { status: 200, media: "application/json" },
  handler: async ({ env, request }) => {
    const body = await env.use(interfaceDescription).bytes();
    return answerWithFile({ contentType: "application/json", body }, request.acceptEncoding, {});
  },
});

/** Nothing from other origins and no inline scripts. The viewer needs inline styles. */
const POLICY = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "referrer-policy": "no-referrer",
};
const CACHED = { "cache-control": "max-age=3600" };

export const referencePage = defineOperation({
  ...shared,
  id: "reference.page",
  method: "GET",
  path: "/docs",
  summary: "Show the interface description",
  success: { status: 200, media: "text/html" },
  errors: ["not_found"],
  handler: (ctx) => asset(ctx, "index.html"),
});

export const referenceAsset = defineOperation({
  ...shared,
  id: "reference.asset",
  method: "GET",
  path: "/docs/{asset}",
  summary: "Give a file of the reference page",
  params: z.object({ asset: z.string().meta({ description: "Name of the file." }) }),
  success: { status: 200, media: "application/octet-stream" },
  handler: (ctx, { params }) => asset(ctx, params.asset),
});

async function asset({ env, request }: ReadContext, name: string): Promise<Raw> {
  const { reference } = env.options;
  const file = typeof reference === "object" ? reference.get(name) : undefined;
  if (!file) throw notFound();
  return answerWithFile(file, request.acceptEncoding, name === "index.html" ? POLICY : { ...POLICY, ...CACHED });
}
