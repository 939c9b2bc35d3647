import { z } from "zod";
import { Branch } from "../../tool-arguments.js";
import type { Project } from "../repositories.js";

const Hash = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
export const Ref = z.union([Branch, Hash]).optional();

const Branches = z.object({ branches: z.array(z.string()) });

/** Names of all branches, closed ones too. */
export const branchesOf = async ({ session }: Project): Promise<readonly string[]> =>
  (await session.call(["branch", "list"], { range: "all" }, Branches)).branches;

/**
 * A branch or a hash, spelt so that Fossil reads it as nothing else, such as a date; `undefined` where there is no such
 * branch.
 */
export async function checkInAt(project: Project, ref: string): Promise<string | undefined> {
  if (Hash.safeParse(ref).success) return ref;
  return (await branchesOf(project)).includes(ref) ? `tag:${ref}` : undefined;
}
