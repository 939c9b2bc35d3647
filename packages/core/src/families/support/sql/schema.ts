import { z } from "#schema/z.js";

/** The most rows of an answer, and the default. */
export const MAX_ROWS = 1_000;
/** Limits on the bytes of rows as JSON, and on the time of the statement. */
export const LIMITS = { maxBytes: 1_048_576, timeoutMs: 5_000 } as const;

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const SqlRun = z
  .strictObject({
    configuration: z
      .strictObject({
        statement: z.string().min(1).max(20_000).meta({
          description: "One SELECT, VALUES or WITH over the views of the console.",
          example: "select status, count(*) from ai_assets group by status",
        }),
        parameters: z
          .array(Value)
          .max(100)
          .default([])
          .meta({ description: "Values of `$1`, `$2`, … on PostgreSQL, of each `?` in turn on SQLite." }),
        maxRows: z.int().min(1).max(MAX_ROWS).default(MAX_ROWS).meta({ description: "The most rows to give." }),
      })
      .meta({ description: "The statement and its limits." }),
    reason: z.string().max(2_000).optional().meta({ description: "Why, for the audit trail." }),
  })
  .meta({
    id: "SqlRun",
    example: { configuration: { statement: "select 1" }, reason: "To answer a question of support." },
  });

export const SqlResult = z
  .object({
    columns: z.array(z.string()).meta({ description: "Names of the columns." }),
    rows: z.array(z.array(Value)).meta({ description: "Values in the order of `columns`." }),
    rowCount: z.int().min(0).meta({ description: "How many rows there are." }),
    truncated: z.boolean().meta({ description: "There was more than `maxRows` rows or 1 MiB." }),
    durationMs: z.int().min(0).meta({ description: "Milliseconds it took." }),
  })
  .meta({ id: "SqlResult" });
