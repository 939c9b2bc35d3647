import { defineOperation } from "#kernel/operation/operation.js";
import { Raw } from "#kernel/records/outcome.js";
import { dayOf } from "#ports/clock.js";
import { z } from "#schema/z.js";
import { may, PATH, shared } from "../access.js";
import { policyOf, reportPage } from "./render/document.js";
import { reportNow } from "./report-model.js";
import { Report } from "./schema.js";

const path = `${PATH}/report`;
const query = z.strictObject({
  format: z.enum(["html", "json"]).optional().meta({ description: "`json` when absent." }),
});
const success = { status: 200, schema: Report, also: "text/html; charset=utf-8" } as const;

export const readReport = defineOperation({
  ...shared,
  id: "aiCompliance.report",
  method: "GET",
  path,
  extension: true,
  summary: "Give a report on compliance that can be read, as JSON or as one page",
  description:
    "The page needs nothing from elsewhere and holds no script. The JSON holds every input as well, so that its numbers can be computed again.",
  access: may("read"),
  query,
  expensive: true,
  success,
  handler: async (ctx, { query: { format = "json" } }) => answer(await reportNow(ctx, null), format),
});

export const fileReport = defineOperation({
  ...shared,
  id: "aiCompliance.fileReport",
  method: "POST",
  path,
  extension: true,
  summary: "File a report on compliance: its digest stands in the chain of events from then on",
  access: may("assess"),
  query,
  expensive: true,
  success,
  // Read before the transaction, because a report takes long to read.
  prepare: (ctx) => reportNow(ctx, ctx.newId("rep")),
  async handler(ctx, { query: { format = "json" } }, report) {
    const { reportId, asOf, digest, inputsDigest } = report;
    const subject = { id: reportId ?? digest, type: "compliance_report", path };
    await ctx.emit({ type: "compliance.report.filed", subject, data: { asOf, digest, inputsDigest } });
    return answer(report, format);
  },
});

/** The report as a file in a form. */
function answer(report: Report, format: "html" | "json"): Raw {
  const file = `inline; filename="compliance-report-${dayOf(report.asOf)}.${format}"`;
  if (format === "json")
    return new Raw(JSON.stringify(report), "application/json", { headers: { "content-disposition": file } });
  return new Raw(reportPage(report), "text/html", {
    headers: {
      "content-disposition": file,
      "content-security-policy": `${policyOf(report)}; frame-ancestors 'none'`,
      "referrer-policy": "no-referrer",
    },
  });
}
