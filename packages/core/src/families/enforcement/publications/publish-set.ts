import { type Asset, assets } from "#families/estate/index.js";
import { keyRing } from "#families/identity/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { notFound, ReeveError } from "#kernel/http/errors.js";
import { jose } from "#kernel/http/jose.js";
import type { Context } from "#kernel/operation/context.js";
import type { OutsideContext } from "#kernel/operation/outside-context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { z } from "#schema/z.js";
import { sha256 } from "#store/chain.js";
import { currentSet, GOOD_FOR, latestPublication, type PublishedSet } from "./compute-set.js";
import { type PublishedClient, PublishedFile } from "./fields.js";
import { formats } from "./files/index.js";
import { loadToml } from "./files/toml.js";
import { Publication, publications } from "./schema.js";

/** Type of the signature, so that it is taken for nothing else. */
const TYPE = "reeve-publication+jws";

const fields = Publication.shape;

/** The files of a set, and what they do and do not control. */
export const Bundle = z
  .object({
    agentId: fields.agentId,
    client: fields.client,
    number: z.int().nullable().meta({ description: "Number of the publication; `null`: this set is not published." }),
    digest: fields.digest,
    jws: z.string().nullable().meta({ description: "The signature of the publication." }),
    directory: z.string().meta({ description: "Where the files stand on Linux." }),
    files: z.array(PublishedFile).meta({ description: "The files to be written." }),
    closedFiles: z.array(PublishedFile).meta({
      description: "Files that allow no server, for an installation whose credential is refused.",
    }),
    entries: fields.entries,
    leftOut: fields.leftOut,
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
  await loadToml();
  const { latest, set, written } = await lookAt(ctx, agent, of);
  return bundleOf(agent, of, set, written, latest?.digest === written.digest ? latest : undefined);
}

/** How often a set is looked at anew, when it changed while it was signed. */
const TRIES = 5;

/**
 * Publishes what an agent may use in a client now. The same set has the same number and the same bytes; another one has
 * the next number, a signature and an event. It is signed before the transaction, which waits for no key, and counts only
 * if it is still the set then.
 */
export async function publishSet(ctx: OutsideContext, agent: Asset, of: PublishedClient): Promise<Bundle> {
  await loadToml();
  for (let tried = 0; tried < TRIES; tried += 1) {
    const { latest, set, written } = await lookAt(ctx, agent, of);
    if (latest?.digest === written.digest) return bundleOf(agent, of, set, written, latest);
    const number = (latest?.number ?? 0) + 1;
    const jws = await sign(ctx, { agentId: agent.id, client: of, number, digest: written.digest });
    const stored = await ctx.write(async (inner) => {
      const now = await lookAt(inner, agent, of);
      const isSame = now.written.digest === written.digest && now.latest?.number === latest?.number;
      return isSame ? store(inner, agent, of, set, { number, digest: written.digest, jws }) : undefined;
    });
    if (stored) return bundleOf(agent, of, set, written, stored);
  }
  throw new ReeveError("concurrent_modification", "What the agent may use changes too fast; ask again.");
}

interface Looked {
  readonly latest: Publication | undefined;
  readonly set: PublishedSet;
  readonly written: Written;
}

async function lookAt(ctx: ReadContext, agent: Asset, of: PublishedClient): Promise<Looked> {
  const latest = await latestPublication(ctx, agent.id, of);
  const set = await currentSet(ctx, agent, of, latest);
  return { latest, set, written: write(ctx, of, set) };
}

interface Written {
  readonly files: PublishedFile[];
  readonly closedFiles: PublishedFile[];
  readonly digest: string;
}

function write(ctx: ReadContext, of: PublishedClient, { entries: some }: PublishedSet): Written {
  const { baseUrl = "" } = ctx.env.options;
  const { directory, files: filesOf } = formats[of];
  const [files, closedFiles] = [filesOf({ entries: some, baseUrl }), filesOf({ entries: [], baseUrl })];
  return { files, closedFiles, digest: sha256(canonical({ directory, files })) };
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
  signed: Pick<Publication, "number" | "digest" | "jws">,
): Promise<Publication> {
  const { id, ...marks } = ctx.stamp(publications);
  const [entries, leftOut] = [[...set.entries], [...set.leftOut]];
  const publication = await ctx.insert(
    publications,
    { id, ...marks, agentId: agent.id, client: of, ...signed, entries, leftOut },
    { event: false },
  );
  const { number, digest } = signed;
  await ctx.emit({
    type: "publication.made",
    subject: subjectOf(publications, id),
    related: [agent.id, ...[...entries, ...leftOut].map(({ assetId }) => assetId)],
    data: {
      ...{ agentId: agent.id, client: of, number, digest },
      entries: entries.map(({ assetId, heldTo }) => ({ assetId, heldTo })),
      leftOut: leftOut.map(({ assetId, reasons }) => ({ assetId, reasons })),
    },
  });
  return publication;
}

async function sign(ctx: ReadContext, claims: Readonly<Record<string, unknown>>): Promise<string> {
  const { signing } = await ctx.env.use(keyRing).current();
  const { CompactSign } = await jose();
  const payload = canonical({ ...claims, tenantId: ctx.principal.tenantId });
  return new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: signing.alg, typ: TYPE, kid: signing.kid })
    .sign(signing.key);
}
