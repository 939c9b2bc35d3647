import { invalidProperty } from "./errors.js";

/** 400 for a property that means nothing beside the decision, by the decisions that each property is for. */
export function refuseMisplaced<Given extends object, Decision extends string>(
  given: Given,
  decision: Decision,
  uses: Partial<Record<keyof Given & string, readonly Decision[]>>,
): void {
  for (const [name, decisions] of Object.entries(uses) as [keyof Given & string, readonly Decision[]][])
    if (given[name] !== undefined && !decisions.includes(decision))
      throw invalidProperty(`/${name}`, `It is for the decision ${decisions.join(" or ")}.`);
}
