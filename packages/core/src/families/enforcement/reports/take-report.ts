import { Label } from "#families/estate/index.js";
import { subjectOf } from "#kernel/events/record-events.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { cutText } from "#kernel/records/cut-text.js";
import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { requireInstallation } from "../installations/credentials/own.js";
import { type Installation, installations } from "../installations/schema.js";
import { PUBLISHED_CLIENTS } from "../publications/fields.js";
import { type Publication, publications } from "../publications/schema.js";
import type { InForce, UnpublishedServer } from "./fields.js";
import { Effects } from "./queries.js";
import { identityOf, isFresh } from "./rules.js";

/** The most servers that a report names, and the most that are kept as unpublished. */
const MOST_SERVERS = 200;
const MOST_KEPT = 50;
const SHOWN = 200;

const Server = z.strictObject({
  name: Label.meta({ description: "Its name in the client." }),
  url: z.string().min(1).max(4_000).optional().meta({ description: "Its address, where the client calls it." }),
  command: z.string().min(1).max(4_000).optional().meta({ description: "Its program, where the client starts it." }),
  args: z.array(z.string().max(4_000)).max(200).optional().meta({ description: "The arguments of the program." }),
});
type Server = z.output<typeof Server>;

export const InstallationReport = z
  .strictObject({
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: "SHA-256 of directory and files as found on disk, as publications have it." }),
    files: z.int().min(0).max(1_000).meta({ description: "How many of the files of the publication were found." }),
    fetchedAt: Time.optional().meta({ description: "When it last had a publication from here." }),
    clientVersion: Label.optional().meta({ description: "Version of the client." }),
    servers: z
      .array(Server)
      .max(MOST_SERVERS)
      .optional()
      .meta({ description: "MCP servers that the client has. Only host or program are kept of those not published." }),
  })
  .meta({ id: "InstallationReport", example: { digest: "0".repeat(64), files: 2, clientVersion: "2.1.332" } });
type InstallationReport = z.output<typeof InstallationReport>;

/** Takes what the calling installation has in force. What is new in it is an event. */
export async function takeReport(ctx: Context, given: InstallationReport): Promise<Installation> {
  const before = await requireInstallation(ctx);
  refuseUnclear(given.servers ?? []);
  const [reported, latest] = [await publicationWith(ctx, before, given.digest), await latestOf(ctx, before)];
  const report = inForce(ctx, before, given, reported?.number ?? null);
  const unpublishedServers = given.servers
    ? unpublishedOf(ctx, before, given.servers, [reported, latest])
    : before.unpublishedServers;
  const { clientVersion = before.clientVersion } = given;
  const patch = { report, unpublishedServers, clientVersion, lastSeenAt: ctx.now };
  const isNew = tellsNews(before, patch);
  if (!isNew && before.report && isFresh(before.report.at, ctx.request.nowMs)) return before;
  const after = await ctx.update(installations, before, patch, { event: false, stamp: false });
  if (isNew) await tell(ctx, after);
  return after;
}

function inForce(ctx: Context, { report }: Installation, given: InstallationReport, number: number | null): InForce {
  const { digest, files, fetchedAt = null, servers } = given;
  const since = report?.digest === digest ? report.since : ctx.now;
  // A clock that is ahead would say that it was had from here in the future.
  const fetched = fetchedAt !== null && fetchedAt > ctx.now ? ctx.now : fetchedAt;
  return { at: ctx.now, digest, files, number, since, fetchedAt: fetched, servers: servers?.length ?? null };
}

type Told = Pick<Installation, "report" | "unpublishedServers" | "clientVersion">;

function tellsNews(before: Told, after: Told): boolean {
  const told = ({ report, unpublishedServers, clientVersion }: Told) =>
    JSON.stringify([report?.digest, report?.number, clientVersion, unpublishedServers.map(({ identity }) => identity)]);
  return told(before) !== told(after);
}

async function tell(ctx: Context, { id, agentId, assetId, report, unpublishedServers, clientVersion }: Installation) {
  await ctx.emit({
    type: "installation.reported",
    ...(unpublishedServers.length > 0 ? { severity: "WARN" as const } : {}),
    subject: subjectOf(installations, id),
    related: [agentId, assetId],
    data: { digest: report?.digest, number: report?.number, files: report?.files, clientVersion, unpublishedServers },
  });
}

/** 400 for a server that is named by address and program, or by neither. */
function refuseUnclear(servers: readonly Server[]): void {
  const errors = servers.flatMap(({ url, command }, index) =>
    (url === undefined) === (command === undefined)
      ? [{ pointer: `/servers/${index}`, code: "invalid_request", message: "It has either `url` or `command`." }]
      : [],
  );
  if (errors.length > 0) throw new ReeveError("invalid_request", undefined, { errors });
}

/** The newest publication for an installation with this digest. */
async function publicationWith(ctx: Context, { agentId, client }: Installation, digest: string) {
  const order = { by: "number", direction: "desc" } as const;
  const { rows } = await ctx.db.find(publications, { where: { agentId, client, digest }, order, size: 1 });
  return rows[0]?.value;
}

async function latestOf(ctx: Context, { agentId, client }: Installation): Promise<Publication | undefined> {
  if (!PUBLISHED_CLIENTS.some((one) => one === client)) return undefined;
  const order = { by: "number", direction: "desc" } as const;
  const { rows } = await ctx.db.find(publications, { where: { agentId, client }, order, size: 1 });
  return rows[0]?.value;
}

/** The servers that stand neither in the publication that is in force nor in the newest. */
function unpublishedOf(
  ctx: Context,
  before: Installation,
  servers: readonly Server[],
  published: readonly (Publication | undefined)[],
): UnpublishedServer[] {
  const known = new Set(published.flatMap((one) => one?.entries.map(identityOf) ?? []));
  const seen = new Map(before.unpublishedServers.map(({ identity, firstSeenAt }) => [identity, firstSeenAt]));
  const found = servers
    .map((server) => ({ server, identity: identityOf(server) }))
    .filter(({ identity }) => !known.has(identity));
  const each = new Map(found.map((one) => [one.identity, one]));
  return [...each.values()].slice(0, MOST_KEPT).map(({ server, identity }) => ({
    name: server.name,
    kind: server.url === undefined ? ("command" as const) : ("url" as const),
    shown: shownOf(server),
    identity,
    firstSeenAt: seen.get(identity) ?? ctx.now,
  }));
}

/** The host of an address, or the name of a program. The rest may hold secrets. */
function shownOf({ url, command = "" }: Server): string {
  const whole = url === undefined ? command.split(/[\\/]/).findLast((part) => part !== "") : hostOf(url);
  return cutText(whole ?? "", SHOWN) || "(unreadable)";
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "");

/** An installation with what is in force there. */
export const withEffect = (ctx: Context, installation: Installation) => new Effects(ctx).of(installation);
