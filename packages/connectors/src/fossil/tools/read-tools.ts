import { z } from "zod";
import { FILE_LIMITS } from "../../repository-files/limits.js";
import { Path } from "../../tool-arguments.js";
import { done, refused } from "../../tool-results.js";
import type { Fossil } from "../configuration.js";
import type { Project } from "../repositories.js";
import { artifact, snapshotOf } from "../snapshot.js";
import { checkInAt, Ref } from "./branches.js";
import { repositoryTool } from "./tool.js";

const MOST_FILES = 1_000;
const NO_REF = refused("not_found", "There is no such branch or check-in.");

async function treeAt(ctx: Fossil, project: Project, ref = ctx.config.branch) {
  const checkIn = await checkInAt(project, ref);
  return checkIn === undefined ? undefined : snapshotOf(ctx, project, checkIn);
}

const listFiles = repositoryTool({
  name: "list_files",
  description: "Lists the paths of files in a repository, at most 1,000.",
  effect: "read",
  idempotent: true,
  input: { path: Path.optional(), ref: Ref },
  async run(ctx, project, { path, ref }) {
    const tree = await treeAt(ctx, project, ref);
    if (!tree) return NO_REF;
    const below = tree.files.filter((file) => path === undefined || file.path.startsWith(`${path}/`));
    const files = below.slice(0, MOST_FILES).map((file) => ({ path: file.path }));
    return done({ checkIn: tree.revision, files, complete: below.length <= MOST_FILES });
  },
});

const readFile = repositoryTool({
  name: "read_file",
  description: "Reads a text file of at most 256 KiB. Symbolic links are not followed.",
  effect: "read",
  idempotent: true,
  input: { path: Path, ref: Ref },
  async run(ctx, project, { path, ref }) {
    const tree = await treeAt(ctx, project, ref);
    if (!tree) return NO_REF;
    const file = tree.files.find((one) => one.path === path);
    if (!file) return refused("not_found", "There is no such file.");
    if (file.symbolicLink) return refused("symbolic_link", "The file is a symbolic link, which is not followed.");
    const text = await artifact(ctx, project, file.key, FILE_LIMITS.bytes);
    if (text === undefined) return refused("too_large", `The file is larger than ${FILE_LIMITS.bytes / 1_024} KiB.`);
    if (text.includes("\0")) return refused("not_text", "The file is no text.");
    return done({ path, checkIn: tree.revision, content: text });
  },
});

const Most = z.int().min(1).max(100).optional();
const at = (seconds: number) => new Date(seconds * 1_000).toISOString();

const CheckIns = z.object({
  timeline: z.array(
    z.object({
      uuid: z.string(),
      timestamp: z.number(),
      user: z.string().optional(),
      comment: z.string().optional(),
      tags: z.array(z.string()).optional(),
    }),
  ),
});

const listCheckIns = repositoryTool({
  name: "list_check_ins",
  description: "Lists the newest check-ins of a repository, 20 when `most` is absent.",
  effect: "read",
  idempotent: true,
  input: { most: Most },
  async run(_ctx, { session }, { most = 20 }) {
    const { timeline } = await session.call(["timeline", "checkin"], { limit: most }, CheckIns);
    const checkIns = timeline.map(({ uuid, timestamp, user = null, comment = "", tags = [] }) => ({
      ...{ checkIn: uuid, at: at(timestamp), user, comment, tags },
    }));
    return done({ checkIns });
  },
});

const Tickets = z.object({
  timeline: z.array(
    z.object({
      ticketUuid: z.string(),
      timestamp: z.number(),
      user: z.string().optional(),
      briefComment: z.string().optional(),
      comment: z.string().optional(),
    }),
  ),
});

const listTickets = repositoryTool({
  name: "list_tickets",
  description: "Lists the newest changes of tickets, 20 when `most` is absent.",
  effect: "read",
  idempotent: true,
  input: { most: Most },
  async run(_ctx, { session }, { most = 20 }) {
    const { timeline } = await session.call(["timeline", "ticket"], { limit: most }, Tickets);
    const changes = timeline.map(({ ticketUuid, timestamp, user = null, comment, briefComment }) => ({
      ...{ ticket: ticketUuid, at: at(timestamp), user, comment: comment ?? briefComment ?? "" },
    }));
    return done({ changes });
  },
});

/** Name of a wiki page, without what Fossil's addresses are made of. */
export const PageName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9][\w .-]*$/, "ASCII letters, digits, blanks and `._-`.");

export const WikiPage = z.object({ name: z.string(), content: z.string() });

const readWiki = repositoryTool({
  name: "read_wiki",
  description: "Reads a page of the wiki.",
  effect: "read",
  idempotent: true,
  input: { page: PageName },
  async run(_ctx, { session }, { page }) {
    const { content } = await session.call(["wiki", "get"], { name: page }, WikiPage);
    if (Buffer.byteLength(content) > FILE_LIMITS.bytes)
      return refused("too_large", `The page is larger than ${FILE_LIMITS.bytes / 1_024} KiB.`);
    return done({ page, content });
  },
});

export const readTools = [listFiles, readFile, listCheckIns, listTickets, readWiki];
