import { z } from "zod";
import { Branch, Number_, Path, Text, Title } from "../../tool-arguments.js";
import { done, refused } from "../../tool-results.js";
import type { Api } from "../api.js";
import { orMissing, placeOf } from "../lookups.js";
import type { Repository } from "../shapes.js";
import { commitOf } from "../snapshot.js";
import { repositoryTool } from "./tool.js";

const Sha = z.object({ sha: z.string() });
const Reference = z.object({ object: z.object({ sha: z.string() }) });
const Created = z.object({ number: z.int(), html_url: z.string() });

/** The commit at the end of a branch; `undefined` where there is no such branch. */
async function endOf(api: Api, repository: Repository, branch: string): Promise<string | undefined> {
  const route = "GET /repos/{owner}/{repo}/git/ref/{ref}";
  return (await orMissing(api.read(route, { ...placeOf(repository), ref: `heads/${branch}` }, Reference)))?.object.sha;
}

const createBranch = repositoryTool({
  name: "create_branch",
  description: "Creates a branch. One that is there already at the same commit is left as it is.",
  effect: "write",
  idempotent: true,
  input: { branch: Branch, from: Branch.optional() },
  async run(api, repository, { branch, from }) {
    const sha = await commitOf(api, repository, from ?? repository.default_branch ?? "HEAD");
    if (!sha) return refused("not_found", "There is no such branch to begin at.");
    const there = await endOf(api, repository, branch);
    if (there === sha) return done({ branch, commit: sha });
    if (there) return refused("conflict", "There is a branch of this name at another commit.");
    await api.write("POST /repos/{owner}/{repo}/git/refs", {
      ...placeOf(repository),
      ref: `refs/heads/${branch}`,
      sha,
    });
    return done({ branch, commit: sha });
  },
});

const MOST_BYTES = 1_048_576;

const commitFiles = repositoryTool({
  name: "commit_files",
  description:
    "Writes files as one commit at the end of a branch, which is not the default branch. It deletes nothing.",
  effect: "write",
  idempotent: false,
  input: {
    branch: Branch,
    message: Text(10_000).min(1),
    files: z
      .array(z.strictObject({ path: Path, content: Text(MOST_BYTES) }))
      .min(1)
      .max(100),
    expectedCommit: z
      .string()
      .regex(/^[0-9a-f]{40}$/)
      .optional(),
  },
  async run(api, repository, { branch, message, files, expectedCommit }) {
    if (branch === repository.default_branch)
      return refused("default_branch", "Agents write to branches, and people merge them.");
    if (new Set(files.map(({ path }) => path)).size < files.length)
      return refused("invalid_arguments", "A path is there twice.");
    const parent = await endOf(api, repository, branch);
    if (!parent) return refused("not_found", "There is no such branch.");
    if (expectedCommit !== undefined && expectedCommit !== parent)
      return refused("conflict", "The branch has another commit at its end by now.");
    const place = placeOf(repository);
    const entries = files.map(({ path, content }) => ({ path, mode: "100644", type: "blob", content }));
    const tree = Sha.parse(
      await api.write("POST /repos/{owner}/{repo}/git/trees", {
        ...place,
        base_tree: await treeOf(api, place, parent),
        tree: entries,
      }),
    );
    const commit = Sha.parse(
      await api.write("POST /repos/{owner}/{repo}/git/commits", {
        ...place,
        message,
        tree: tree.sha,
        parents: [parent],
      }),
    );
    // Without force: a commit that somebody else has added meanwhile is not lost.
    await api.write("PATCH /repos/{owner}/{repo}/git/refs/{ref}", {
      ...place,
      ref: `heads/${branch}`,
      sha: commit.sha,
      force: false,
    });
    return done({ branch, commit: commit.sha });
  },
});

async function treeOf(api: Api, place: { owner: string; repo: string }, commit: string): Promise<string> {
  const route = "GET /repos/{owner}/{repo}/git/commits/{commit_sha}";
  return (await api.read(route, { ...place, commit_sha: commit }, z.object({ tree: Sha }))).tree.sha;
}

const openPullRequest = repositoryTool({
  name: "open_pull_request",
  description: "Opens a pull request between two branches of a repository.",
  effect: "write",
  idempotent: false,
  input: { title: Title, head: Branch, base: Branch.optional(), body: Text(50_000).optional() },
  async run(api, repository, { title, head, base, body }) {
    const into = base ?? repository.default_branch ?? "main";
    for (const branch of [head, into])
      if (!(await endOf(api, repository, branch))) return refused("not_found", "There is no such branch.");
    const { number, html_url } = Created.parse(
      await api.write("POST /repos/{owner}/{repo}/pulls", { ...placeOf(repository), title, head, base: into, body }),
    );
    return done({ number, url: html_url });
  },
});

const comment = repositoryTool({
  name: "comment",
  description: "Comments on an issue or a pull request.",
  effect: "write",
  forReaders: true,
  idempotent: false,
  input: { number: Number_, body: Text(50_000).min(1) },
  async run(api, repository, { number, body }) {
    const { html_url } = z.object({ html_url: z.string() }).parse(
      await api.write("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        ...placeOf(repository),
        issue_number: number,
        body,
      }),
    );
    return done({ url: html_url });
  },
});

export const writeTools = [createBranch, commitFiles, openPullRequest, comment];
