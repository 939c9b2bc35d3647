import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { canonical, sha256 } from "../canonical.js";
import { expectSame, expectTrue } from "../expectation.js";
import { chapter, done, note } from "../page.js";
import { known, type Story } from "../story.js";
import type { ChainedEvent, List } from "../wire.js";

interface Report {
  readonly reportId: string;
  readonly digest: string;
  readonly frameworks: readonly { readonly controls: readonly { readonly state: string }[] }[];
}

const PATH = "/api/v1/ai/compliance/report";

/** Files a report for the auditor. Its digest stands in the chain, and the page can be read and printed. */
export async function fileReport(story: Story): Promise<void> {
  chapter("The report", "What an auditor gets is on record, and can be held against the record.");
  const { client } = known(story.grace, "Grace");
  const { body: report } = await client.post<Report>(PATH, {}, { expect: 200 });
  const controls = report.frameworks.flatMap((framework) => framework.controls);
  const unknown = controls.filter(({ state }) => state === "not_assessed").length;
  done(`Grace files it: ${controls.length} controls of ${report.frameworks.length} frameworks`);
  note(`Of ${unknown} nothing is known yet, and it says so`);

  const { digest, ...content } = report;
  expectSame("its digest is that of what it says", sha256(canonical(content)), digest);
  const path = `/api/v1/ai/activity/${report.reportId}`;
  const { body: activity } = await client.get<List<ChainedEvent>>(path);
  const [filed] = activity.items;
  expectSame("the chain holds the same digest", (filed?.data as { digest?: string } | undefined)?.digest, digest);
  done("Its digest, computed here, stands in the chain of events");

  const { text: page } = await client.post(`${PATH}?format=html`, {}, { expect: 200 });
  expectTrue("the page needs nothing else", !/<script|<link|src="http/i.test(page), page.slice(0, 200));
  const folder = resolve(process.env.REEVE_REPORTS || "./data/reports");
  await mkdir(folder, { recursive: true });
  const file = join(folder, `compliance-${story.mark}.html`);
  await writeFile(file, page);
  done("Filed once more as one page without scripts, to be read or printed");
  note(file);
}
