import { Time } from "#kernel/records/record.js";
import { z } from "#schema/z.js";
import { Sha256 } from "../../assets/fields.js";
import { MANIFEST_STATES } from "../fields.js";
import { WARNINGS, type WarningCode } from "../warnings/warnings.js";
import { CIRCUMSTANCES } from "./circumstances.js";
import { DRIFT_SEVERITIES } from "./severity.js";

const Severity = z.enum(DRIFT_SEVERITIES);

const Change = z
  .object({
    pointer: z.string().meta({ description: "JSON pointer into the entry.", example: "/inputSchema/required" }),
    before: z.string().nullable().meta({ description: "Text, or canonical JSON; cut where it is long." }),
    after: z.string().nullable().meta({ description: "As `before`, of now." }),
    severity: Severity.meta({ description: "How much it matters." }),
    rule: z
      .enum(["text", "schema", "required_argument", "enum_widened", "mapping", "cosmetic", "more_harm", "less_harm"])
      .meta({ description: "What tells how much it matters." }),
  })
  .meta({ id: "McpDriftChange" });

const Item = z
  .object({
    kind: z.enum(["tool", "prompt", "resource_template", "instructions"]).meta({ description: "What kind of entry." }),
    name: z.string().meta({ description: "Name of the entry." }),
    change: z.enum(["added", "removed", "changed", "renamed"]).meta({ description: "What became of it." }),
    from: z.string().nullable().meta({ description: "For `renamed`: the name it seems to have had." }),
    severity: Severity.meta({ description: "The gravest of its changes." }),
    changes: z.array(Change).meta({ description: "The fields that differ." }),
  })
  .meta({ id: "McpDriftItem" });

const Warning = z
  .object({
    code: z
      .enum(Object.keys(WARNINGS) as [WarningCode, ...WarningCode[]])
      .meta({ description: "What kind of warning." }),
    pointer: z.string().meta({ description: "JSON pointer into what it offers." }),
    detail: z.string().meta({ description: "What was found." }),
    message: z.string().meta({ description: "What the code means." }),
  })
  .meta({ id: "McpWarning" });

const Changed = z
  .object({
    what: z.enum(CIRCUMSTANCES).meta({ description: "What is another now." }),
    before: z.string().nullable().meta({ description: "Text, or SHA-256 of what is not shown; `null`: not known." }),
    after: z.string().nullable().meta({ description: "As `before`, of now." }),
  })
  .meta({ id: "McpDriftCircumstance" });

/** The drift of a server. */
export const Drift = z
  .object({
    serverId: z.string().meta({ description: "Id of the server." }),
    state: z.enum(MANIFEST_STATES).meta({ description: "How it compares with what was approved." }),
    manifestDigest: Sha256.nullable().meta({ description: "What an approval of what is shown here has to name." }),
    approvedDigest: Sha256.nullable().meta({ description: "SHA-256 of what was approved." }),
    fetchedAt: Time.nullable().meta({ description: "When it was last scanned." }),
    severity: Severity.nullable().meta({ description: "The most severe of `items`; `null` without any." }),
    items: z.array(Item).meta({ description: "Entries that differ." }),
    circumstances: z.array(Changed).meta({
      description: "What else has changed since the approval, which may explain the difference. It excuses none.",
    }),
    warnings: z.array(Warning).meta({ description: "Suspicious texts in what the server says." }),
  })
  .meta({ id: "McpDrift" });
export type Drift = z.output<typeof Drift>;
