import { t } from "../../texts/index.js";
import type { WorkKind } from "../../work/work.js";
import type { Exporting, ExportOf } from "./export-slice.js";
import type { Verifying } from "./verify-chain.js";

const words = t.activity;

/** Verifies the chain from the first event that is kept to the last one, and draws its timeline. */
export const verification: WorkKind<null, Verifying> = {
  name: "verification",
  onClosing: t.work.onClosing.resumes,
  resumes: true,
  stale: [],
  load: () => import("./verify-chain.js"),
  shows: ({ state: { checked, result } }) => ({
    title: words.verification,
    says: result?.fault ? words.results.broken(result.fault.sequence) : words.soFar(checked),
    done: checked,
    total: null,
    link: { to: "/activity/verification" },
  }),
};

/** Exports what happened to a subject in a span of time. */
export const exporting: WorkKind<ExportOf, Exporting> = {
  name: "export",
  onClosing: t.work.onClosing.resumes,
  resumes: true,
  stale: [],
  load: () => import("./export-slice.js"),
  shows: ({ input: { search }, state: { events } }) => ({
    title: words.export.titleOf(search.subject),
    says: words.soFar(events),
    done: events,
    total: null,
    link: { to: "/activity/export", search },
  }),
};
