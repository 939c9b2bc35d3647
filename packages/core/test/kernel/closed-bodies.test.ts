import { createPlane } from "@reeve/testkit";
import { describe, expect, it } from "vitest";
import type { CallInput } from "#control-plane/operation-types.js";
import type { OperationTypes } from "#control-plane/operations.generated.js";

type Input = { [Id in keyof OperationTypes]: OperationTypes[Id]["input"] };
type BodyOf<Id extends keyof Input> = Input[Id] extends { readonly body?: infer B } ? Exclude<B, undefined> : never;

/** The operations whose body accepts any name. */
type Open = {
  [Id in keyof Input]: [BodyOf<Id>] extends [never] ? never : string extends keyof BodyOf<Id> ? Id : never;
}[keyof Input];

describe("the types of bodies", () => {
  it("take the names that are known, and no others", () => {
    const none: [Open] extends [never] ? true : Open = true;
    expect(none).toBe(true);
    const right: CallInput<"aiAssets.create"> = { body: { assetType: "agent", riskTier: "high" } };
    // @ts-expect-error a misspelt field
    const misspelt: CallInput<"aiAssets.create"> = { body: { riskTeir: "high" } };
    // @ts-expect-error a value that is none
    const unknown: CallInput<"aiAgents.create"> = { body: { kind: "robot" } };
    // @ts-expect-error a state of another machine
    const elsewhere: CallInput<"aiAssets.changeLifecycle"> = { params: { id: "" }, body: { status: "approved" } };
    expect([right, misspelt, unknown, elsewhere]).toHaveLength(4);
  });

  it("are those of a control plane", () => {
    const { controlPlane } = createPlane();
    const bodies = controlPlane.operations
      .filter(({ body }) => body)
      .map(({ body }) => body.meta()?.id ?? body.unwrap().meta()?.id);
    expect(bodies.filter((id) => id === undefined || id === "GenericBody")).toEqual([]);
  });
});
