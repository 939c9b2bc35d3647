import { z } from "zod";
import { defineOperation } from "../../../kernel/operation/operation.js";
import { Raw } from "../../../kernel/records/outcome.js";
import { dayOf } from "../../../ports/clock.js";
import { may, PATH, shared } from "../access.js";
import { reportNow } from "./figures/model.js";
import { reportPage } from "./render/document.js";
import { CONTENT_POLICY } from "./render/style.js";
import { Report } from "./schema.js";

export const readReport = defineOperation({
  ...shared,
  id: "aiCompliance.report",
  method: "GET",
  path: `${PATH}/report`,
  extension: true,
  summary: "Give a report on compliance that can be read and filed, as JSON or as one page",
  description:
    "The page needs nothing from elsewhere and holds no script. The JSON holds every input as well, so that its numbers can be computed again.",
  access: may("read"),
  query: z.strictObject({
    format: z.enum(["html", "json"]).optional().meta({ description: "`json` when absent." }),
  }),
  expensive: true,
  success: { status: 200, schema: Report, also: "text/html; charset=utf-8" },
  async handler(ctx, { query: { format = "json" } }) {
    const report = await reportNow(ctx);
    const file = `inline; filename="compliance-report-${dayOf(report.asOf)}.${format}"`;
    if (format === "json")
      return new Raw(JSON.stringify(report), "application/json", { headers: { "content-disposition": file } });
    return new Raw(reportPage(report), "text/html", {
      headers: {
        "content-disposition": file,
        "content-security-policy": `${CONTENT_POLICY}; frame-ancestors 'none'`,
        "referrer-policy": "no-referrer",
      },
    });
  },
});
