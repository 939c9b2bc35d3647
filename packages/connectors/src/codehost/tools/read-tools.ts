import { z } from "zod";
import type { RepositoryFile, Snapshot } from "../../repository-files/file.js";
import { FILE_LIMITS } from "../../repository-files/limits.js";
import { Branch, Number_, Path } from "../../tool-arguments.js";
import { done, refused } from "../../tool-results.js";
import type { Api } from "../api.js";
import { placeOf } from "../lookups.js";
import { Account, type Repository } from "../shapes.js";
import { snapshotOf, textOf } from "../snapshot.js";
import { repositoryTool } from "./tool.js";

const MOST_FILES = 1_000;
const Ref = z.union([Branch, z.string().regex(/^[0-9a-f]{40}$/)]).optional();

const NO_REF = refused("not_found", "There is no such branch or commit.");

const treeOf = (api: Api, repository: Repository, ref: string | undefined): Promise<Snapshot | null> =>
  snapshotOf(api, repository, ref ?? repository.default_branch ?? "HEAD");

const listFiles = repositoryTool({
  name: "list_files",
  description: "Lists the paths of files in a repository, at most 1,000.",
  effect: "read",
  idempotent: true,
  input: { path: Path.optional(), ref: Ref },
  async run(api, repository, { path, ref }) {
    const tree = await treeOf(api, repository, ref);
    if (!tree) return NO_REF;
    const below = tree.files.filter((file) => path === undefined || file.path.startsWith(`${path}/`));
    const files = below
      .slice(0, MOST_FILES)
      .map(({ path: at, size }) => ({ path: at, ...(size === undefined ? {} : { size }) }));
    return done({ commit: tree.revision, files, complete: tree.whole && below.length <= MOST_FILES });
  },
});

const readFile = repositoryTool({
  name: "read_file",
  description: "Reads a text file of at most 256 KiB. Symbolic links are not followed.",
  effect: "read",
  idempotent: true,
  input: { path: Path, ref: Ref },
  async run(api, repository, { path, ref }) {
    const tree = await treeOf(api, repository, ref);
    if (!tree) return NO_REF;
    const file = tree.files.find((one) => one.path === path);
    if (!file) return refused("not_found", "There is no such file.");
    if (file.symbolicLink) return refused("symbolic_link", "The file is a symbolic link, which is not followed.");
    const text = await sized(api, repository, file);
    if (text === undefined) return refused("too_large", `The file is larger than ${FILE_LIMITS.bytes / 1_024} KiB.`);
    if (text.includes("\0")) return refused("not_text", "The file is no text.");
    return done({ path, commit: tree.revision, content: text });
  },
});

const sized = async (api: Api, repository: Repository, file: RepositoryFile) =>
  (file.size ?? 0) > FILE_LIMITS.bytes ? undefined : textOf(api, repository, file);

const Hit = z.object({ path: z.string(), repository: z.object({ id: z.int() }) });

const searchCode = repositoryTool({
  name: "search_code",
  description: "Finds files of the default branch that hold words.",
  effect: "read",
  idempotent: true,
  input: {
    query: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^[^:"]*$/, "Words without qualifiers and quotation marks."),
  },
  async run(api, repository, { query }) {
    const { items } = await api.read(
      "GET /search/code",
      { q: `${query} repo:${repository.full_name}`, per_page: 100 },
      z.object({ items: z.array(Hit) }),
    );
    // The words may still hold something that the code host reads as another repository.
    const paths = items.filter((hit) => hit.repository.id === repository.id).map(({ path }) => path);
    return done({ paths });
  },
});

const PullRequest = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullable(),
  state: z.string(),
  draft: z.boolean().optional(),
  merged: z.boolean().optional(),
  user: Account.nullable(),
  head: z.object({ ref: z.string(), sha: z.string() }),
  base: z.object({ ref: z.string(), sha: z.string() }),
});

const getPullRequest = repositoryTool({
  name: "get_pull_request",
  description: "Reads a pull request.",
  effect: "read",
  idempotent: true,
  input: { number: Number_ },
  async run(api, repository, { number }) {
    const at = { ...placeOf(repository), pull_number: number };
    const { user, head, base, ...rest } = await api.read(
      "GET /repos/{owner}/{repo}/pulls/{pull_number}",
      at,
      PullRequest,
    );
    return done({ ...rest, author: user?.login ?? null, head: ends(head), base: ends(base) });
  },
});

const ends = ({ ref, sha }: { ref: string; sha: string }) => ({ branch: ref, commit: sha });

export const readTools = [listFiles, readFile, searchCode, getPullRequest];
