import { type Asset, assets } from "#families/estate/index.js";
import { keyRing } from "#families/identity/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { notFound } from "#kernel/http/errors.js";
import { jose } from "#kernel/http/jose.js";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { currentSet, GOOD_FOR, latestPublication, type PublishedSet } from "./compute-set.js";
import { type PublishedClient, PublishedFile } from "./fields.js";
import { formats } from "./files/index.js";
import { Publication, publications } from "./schema.js";

/** Type of the signature, so that it is taken for nothing else. */
const TYPE = "reeve-publication+jws";

const { agentId, client, digest, entries, leftOut } = Publication.shape;

/** The files of a set, and what they do and do not control. */
export const Bundle = z
  .object({
    agentId,
    client,
    number: z.int().nullable().meta({ description: "Number of the publication; `null`: this set is not published." }),
    digest,
    jws: z.string().nullable().meta({ description: "The signature of the publication." }),
    directory: z.string().meta({ description: "Where the files stand on Linux." }),
    files: z.array(PublishedFile).meta({ description: "The files to be written." }),
    closedFiles: z.array(PublishedFile).meta({
      description: "Files that allow no server, for an installation whose credential is refused.",
    }),
    entries,
    leftOut,
    notControlled: z.array(z.string()).meta({ description: "What the client does not compare or hold to, in words." }),
    triedWith: z.string().meta({ description: "The version of the client that the files were tried with." }),
    goodForSeconds: z.int().meta({ description: "When it is to be asked for again." }),
  })
  .meta({ id: "PublicationBundle" });
export type Bundle = z.output<typeof Bundle>;

/** The asset of an agent. 404 for any other id. */
export async function agentOf(ctx: ReadContext, id: string): Promise<Asset> {
  const agent = await ctx.getOrThrow(assets, id);
  if (agent.assetType === "agent") return agent;
  throw notFound();
}

/** What would be published now, with the number of the newest publication where that is the same. */
export async function previewSet(ctx: ReadContext, agent: Asset, of: PublishedClient): Promise<Bundle> {
  const latest = await latestPublication(ctx, agent.id, of);
  const set = await currentSet(ctx, agent, of, latest);
  const written = await write(ctx, of, set);
  return bundleOf(agent, of, set, written, latest?.digest === written.digest ? latest : undefined);
}

/**
 * Publishes what an agent may use in a client now. The same set has the same number and the same bytes; another one has
 * the next number, a signature and an event.
 */
export async function publishSet(ctx: Context, agent: Asset, of: PublishedClient): Promise<Bundle> {
  const latest = await latestPublication(ctx, agent.id, of);
  const set = await currentSet(ctx, agent, of, latest);
  const written = await write(ctx, of, set);
  const isSame = latest?.digest === written.digest;
  return bundleOf(agent, of, set, written, isSame ? latest : await store(ctx, agent, of, set, written.digest, latest));
}

interface Written {
  readonly files: PublishedFile[];
  readonly closedFiles: PublishedFile[];
  readonly digest: string;
}

async function write(ctx: ReadContext, of: PublishedClient, { entries: some }: PublishedSet): Promise<Written> {
  const { baseUrl = "" } = ctx.env.options;
  const format = formats[of];
  const [files, closedFiles] = [
    await format.files({ entries: some, baseUrl }),
    await format.files({ entries: [], baseUrl }),
  ];
  return { files, closedFiles, digest: sha256(canonical({ directory: format.directory, files })) };
}

function bundleOf(
  agent: Asset,
  of: PublishedClient,
  set: PublishedSet,
  { files, closedFiles, digest: written }: Written,
  publication: Publication | undefined,
): Bundle {
  const { directory, notControlled, triedWith } = formats[of];
  return {
    agentId: agent.id,
    client: of,
    number: publication?.number ?? null,
    digest: written,
    jws: publication?.jws ?? null,
    ...{ directory, files, closedFiles },
    entries: [...set.entries],
    leftOut: [...set.leftOut],
    notControlled: [...notControlled],
    triedWith,
    goodForSeconds: GOOD_FOR / 1_000,
  };
}

async function store(
  ctx: Context,
  agent: Asset,
  of: PublishedClient,
  set: PublishedSet,
  written: string,
  latest: Publication | undefined,
): Promise<Publication> {
  const { id, ...marks } = ctx.stamp(publications);
  const number = (latest?.number ?? 0) + 1;
  const jws = await sign(ctx, { agentId: agent.id, client: of, number, digest: written });
  const publication = await ctx.insert(
    publications,
    {
      ...{ id, ...marks, agentId: agent.id, client: of, number, digest: written, jws },
      entries: [...set.entries],
      leftOut: [...set.leftOut],
    },
    { event: false },
  );
  await ctx.emit({
    type: "publication.made",
    subject: subjectOf(publications, id),
    related: [agent.id, ...set.entries.map(({ assetId }) => assetId), ...set.leftOut.map(({ assetId }) => assetId)],
    data: {
      ...{ agentId: agent.id, client: of, number, digest: written },
      entries: set.entries.map(({ assetId, heldTo }) => ({ assetId, heldTo })),
      leftOut: set.leftOut.map(({ assetId, reasons }) => ({ assetId, reasons })),
    },
  });
  return publication;
}

async function sign(ctx: Context, claims: Readonly<Record<string, unknown>>): Promise<string> {
  const { signing } = await ctx.env.use(keyRing).current();
  const { CompactSign } = await jose();
  const payload = canonical({ ...claims, tenantId: ctx.principal.tenantId });
  return new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: signing.alg, typ: TYPE, kid: signing.kid })
    .sign(signing.key);
}
