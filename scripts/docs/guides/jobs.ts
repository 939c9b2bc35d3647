import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../lib/workspace.mjs";

/** A row of the table of jobs. */
interface Job {
  readonly name: string;
  readonly calls: number;
  /** The page and the heading of the story that does the job. */
  readonly page: string;
  readonly section: string;
}

/** The jobs of `docs/jobs.md`, in its order. */
export function readJobs(): Job[] {
  const text = readFileSync(join(root, "docs/jobs.md"), "utf8");
  const rows = text.matchAll(/^\| ([^|]+?) +\| +(\d+) \|.*\]\(([\w/-]+\.md)#([\w-]+)\)/gm);
  return [...rows].map(([, name = "", calls, page = "", section = ""]) => ({
    name,
    calls: Number(calls),
    page: `docs/${page}`,
    section,
  }));
}
