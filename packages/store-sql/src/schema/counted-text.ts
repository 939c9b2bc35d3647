import type { FieldType } from "@reeve/core/store";

/** A column as the text that its counter has, as SQL. */
export function countedText(column: string, type: FieldType | undefined): string {
  if (type === "boolean") return `case when "${column}" then 'true' else 'false' end`;
  return `cast("${column}" as text)`;
}
