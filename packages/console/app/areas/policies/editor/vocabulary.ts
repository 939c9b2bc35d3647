import { queryOptions } from "@tanstack/react-query";
import { client, type components } from "../../../api/client.js";
import type { Draft } from "./draft.js";

type Cel = components["schemas"]["DomainEnums"]["cel"];
export type CelField = Cel["environments"][string][number];

/** What expressions may name at one place. */
export interface Vocabulary {
  readonly fields: readonly CelField[];
  readonly functions: Cel["functions"];
}

/** The language of rules, which changes only with a release. */
export const celQuery = queryOptions({
  queryKey: ["vocabulary of rules"],
  queryFn: async ({ signal }) => (await client.GET("/api/v1/ai-governance/domain/enums", { signal })).data.cel,
  staleTime: Number.POSITIVE_INFINITY,
});

/** What the expressions of a draft may name. With exactly one type of assets that includes what is particular to it. */
export function vocabularyOf(cel: Cel | undefined, { kind, assetTypes }: Draft): Vocabulary {
  const only = assetTypes.length === 1 ? cel?.environments[`${kind}.${assetTypes[0]}`] : undefined;
  return { fields: only ?? cel?.environments[kind] ?? [], functions: cel?.functions ?? [] };
}

/** The vocabulary of a rule that goes through a list: its items are `item`. */
export function withItem({ fields, functions }: Vocabulary, list: string): Vocabulary {
  const prefix = `${list}[]`;
  const below = fields.filter(({ path }) => path.startsWith(`${prefix}.`));
  const items = below.map((field) => ({ ...field, path: `item${field.path.slice(prefix.length)}` }));
  return { fields: list === "" ? fields : [...fields, ...items], functions };
}

/** The lists that a rule can go through. */
export const listsOf = ({ fields }: Vocabulary) =>
  fields.filter(({ type, path }) => type.startsWith("list<") && !path.includes("[]")).map(({ path }) => path);
