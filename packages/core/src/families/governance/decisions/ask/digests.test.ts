import fc from "fast-check";
import { expect, it } from "vitest";
import { canonical } from "#kernel/events/canonical.js";
import { sha256 } from "#store/chain.js";
import { digestsOf } from "./digests.js";
import type { Ask } from "./request.js";

it("the digests of a request are of its canonical JSON as a whole, with absent properties as empty", () => {
  const text = fc.string({ unit: "binary" }).map((value) => value.toWellFormed());
  const properties = fc.option(fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }), { nil: undefined });
  const party = fc.record({ type: text, id: text, properties });
  const asks = fc.record({
    subject: party,
    action: fc.record({ name: text, properties }),
    resource: party,
    context: fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
  });
  fc.assert(
    fc.property(asks, (ask) => {
      const filled = <P extends { properties?: object | undefined }>(part: P) => {
        return { ...part, properties: part.properties ?? {} };
      };
      const parts = {
        subject: filled(ask.subject),
        action: filled(ask.action),
        resource: filled(ask.resource),
      };
      expect(digestsOf(ask as Ask)).toEqual({
        action: sha256(canonical(parts)),
        input: sha256(canonical({ ...parts, context: ask.context })),
      });
    }),
  );
});
