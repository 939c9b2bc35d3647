import { ConnectorError } from "@reeve/core/connectors";
import { z } from "zod";
import type { RepositoryFile, Snapshot } from "../repository-files/file.js";
import { FILE_LIMITS } from "../repository-files/limits.js";
import type { Api } from "./api.js";
import { placeOf } from "./lookups.js";
import type { Repository } from "./shapes.js";

const Sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const Commit = z.object({ sha: Sha });
const Entry = z.object({
  path: z.string(),
  mode: z.string(),
  type: z.string(),
  sha: Sha.nullable(),
  size: z.number().optional().catch(undefined),
});
const Tree = z.object({ tree: z.array(z.unknown()), truncated: z.boolean().optional() });
const Blob = z.object({ encoding: z.enum(["base64", "utf-8"]), content: z.string() });
const SYMBOLIC_LINK = "120000";

/** The files of a commit; `null` where the repository has none yet. */
export async function snapshotOf(api: Api, repository: Repository, ref: string): Promise<Snapshot | null> {
  const place = placeOf(repository);
  const commit = await commitOf(api, repository, ref);
  if (commit === undefined) return null;
  const { tree, truncated = false } = await api.read(
    "GET /repos/{owner}/{repo}/git/trees/{tree_sha}",
    { ...place, tree_sha: commit, recursive: "1" },
    Tree,
  );
  const entries = tree.map((entry) => Entry.safeParse(entry).data);
  return {
    id: String(repository.id),
    name: repository.full_name,
    revision: commit,
    files: entries.flatMap((entry) => (entry ? fileOf(entry) : [])),
    whole: !truncated && !entries.includes(undefined),
  };
}

/** The commit that a branch, a tag or a hash stands for; `undefined` where there is none. */
export async function commitOf(api: Api, repository: Repository, ref: string): Promise<string | undefined> {
  try {
    const route = "GET /repos/{owner}/{repo}/commits/{ref}";
    return (await api.read(route, { ...placeOf(repository), ref }, Commit)).sha;
  } catch (error) {
    // An empty repository is a conflict, and a reference that is not known invalid.
    if (ConnectorError.is(error) && ["conflict", "invalid", "not_found"].includes(error.errorClass)) {
      if (error.httpStatus !== undefined) return undefined;
    }
    throw error;
  }
}

/** Whether a repository has no branch yet. Rejects with `not_found` where it is not shown. */
export async function isEmpty(api: Api, repository: Repository): Promise<boolean> {
  const first = { ...placeOf(repository), per_page: 1 };
  return (await api.read("GET /repos/{owner}/{repo}/branches", first, z.array(z.unknown()))).length === 0;
}

function fileOf({ path, mode, type, sha, size }: z.output<typeof Entry>): readonly RepositoryFile[] {
  if (type !== "blob" || sha === null) return [];
  const symbolicLink = mode === SYMBOLIC_LINK;
  return [{ path, key: sha, ...(size === undefined ? {} : { size }), ...(symbolicLink ? { symbolicLink } : {}) }];
}

/** The text of a file; `undefined` where it is larger than is read. */
export async function textOf(api: Api, repository: Repository, { key }: RepositoryFile): Promise<string | undefined> {
  const route = "GET /repos/{owner}/{repo}/git/blobs/{file_sha}";
  const { content, encoding } = await api.read(route, { ...placeOf(repository), file_sha: key }, Blob);
  const bytes = Buffer.from(content, encoding);
  return bytes.length > FILE_LIMITS.bytes ? undefined : bytes.toString();
}
