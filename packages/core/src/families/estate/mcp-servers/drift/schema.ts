import { z } from "zod";
import { Time } from "../../../../kernel/records/record.js";
import { Sha256 } from "../../records/fields.js";
import { MANIFEST_STATES } from "../fields.js";
import { WARNINGS, type WarningCode } from "../warnings/warnings.js";
import { DRIFT_SEVERITIES } from "./severity.js";

const Severity = z.enum(DRIFT_SEVERITIES);

const Change = z
  .object({
    pointer: z.string().meta({ description: "JSON pointer into the entry.", example: "/inputSchema/required" }),
    before: z.string().nullable().meta({ description: "Text, or canonical JSON; cut where it is long." }),
    after: z.string().nullable(),
    severity: Severity,
    rule: z.enum(["text", "schema", "required_argument", "enum_widened", "cosmetic", "more_harm", "less_harm"]),
  })
  .meta({ id: "McpDriftChange" });

const Item = z
  .object({
    kind: z.enum(["tool", "prompt", "resource_template", "instructions"]),
    name: z.string(),
    change: z.enum(["added", "removed", "changed", "renamed"]),
    from: z.string().nullable().meta({ description: "For `renamed`: the name it seems to have had." }),
    severity: Severity,
    changes: z.array(Change),
  })
  .meta({ id: "McpDriftItem" });

const Warning = z
  .object({
    code: z.enum(Object.keys(WARNINGS) as [WarningCode, ...WarningCode[]]),
    pointer: z.string(),
    detail: z.string(),
    message: z.string(),
  })
  .meta({ id: "McpWarning" });

/** The drift of a server. */
export const Drift = z
  .object({
    serverId: z.string(),
    state: z.enum(MANIFEST_STATES),
    manifestDigest: Sha256.nullable().meta({ description: "What an approval of what is shown here has to name." }),
    approvedDigest: Sha256.nullable(),
    fetchedAt: Time.nullable(),
    severity: Severity.nullable().meta({ description: "The most severe of `items`; `null` without any." }),
    items: z.array(Item),
    warnings: z.array(Warning),
  })
  .meta({ id: "McpDrift" });
export type Drift = z.output<typeof Drift>;
