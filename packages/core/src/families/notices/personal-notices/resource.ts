import { defineResource } from "#families/resource.js";
import { noticeDues, runNoticeJobs } from "./jobs.js";
import { listNotices, markNotice, markNotices, readNotice } from "./operations.js";
import { noticeMailboxes, noticeProgress, notices } from "./schema.js";

/** What each person is told of: what waits, and what happens to one's own. */
export const personalNoticesResource = defineResource({
  collections: [notices, noticeMailboxes, noticeProgress],
  operations: [listNotices, readNotice, markNotice, markNotices],
  dues: noticeDues,
  tick: runNoticeJobs,
  aged: [{ kind: "notices", collection: notices, by: "createdAt" }],
});
