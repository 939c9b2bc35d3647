import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { Vocabulary } from "./vocabulary.js";

/** What stands before the cursor where a value of a field is wanted: `asset.environment == "`. */
const VALUE = /([A-Za-z_][\w.]*)\s*(?:==|!=|in\s*\[(?:\s*["'][^"']*["']\s*,)*)\s*["']([\w-]*)$/;
const NAME = /[A-Za-z_][\w.]*$/;

/** Completes fields, functions and the values that a field can have, as the server lists them. */
export function completionsOf(vocabulary: () => Vocabulary, optional: string) {
  return (context: CompletionContext): CompletionResult | null => {
    const { fields, functions } = vocabulary();
    const before = context.state.sliceDoc(0, context.pos);
    const [, path, begun] = VALUE.exec(before) ?? [];
    const values = path === undefined ? undefined : fields.find((field) => field.path === path)?.values;
    if (values && begun !== undefined)
      return { from: context.pos - begun.length, options: values.map((label) => ({ label, type: "enum" })) };
    const word = NAME.exec(before)?.[0] ?? "";
    if (word === "" && !context.explicit) return null;
    const named = fields.filter((field) => !field.path.includes("[]"));
    const options: Completion[] = [
      ...named.map((field) => ({
        label: field.path,
        type: "property",
        detail: field.optional ? `${field.type}, ${optional}` : field.type,
        info: field.description,
      })),
      ...functions
        .filter(({ name }) => !name.includes("."))
        .map(({ name, signature }) => ({
          label: name,
          type: "function",
          info: signature,
        })),
    ];
    return { from: context.pos - word.length, options, validFor: /^[\w.]*$/ };
  };
}
