import { z } from "#schema/z.js";
import { Label, Text } from "../../assets/fields.js";
import { Labels } from "../../records/fields.js";

/** The most bytes of a card as JSON. */
const CARD_BYTES = 65_536;
/** The deepest nesting of a card. */
const CARD_DEPTH = 16;

const Url = z.url().max(2_000);
const Base64url = z
  .string()
  .max(8_192)
  .regex(/^[\w-]+$/, "Not base64url.");

/** Writers of the protocol leave out what is empty, so that texts and lists may be missing. */
const Skill = z.looseObject({
  id: Label,
  name: Label,
  description: Text.optional(),
  tags: z.array(Label).max(100).optional(),
});

/** One signature of a card: a JSON Web Signature over the card in canonical form, without its signatures. */
const CardSignature = z.looseObject({
  protected: Base64url,
  signature: Base64url,
  header: z.record(z.string(), z.unknown()).optional(),
});

/**
 * An agent card of the Agent2Agent protocol, stored as given. Members common to versions 0.3 and 1.0 are checked.
 * Others are allowed.
 */
export const AgentCard = z
  .looseObject({
    name: Label,
    description: Text.optional(),
    version: Label.optional(),
    url: Url.optional(),
    supportedInterfaces: z
      .array(z.looseObject({ url: Url }))
      .max(50)
      .optional(),
    skills: z.array(Skill).max(200).optional(),
    securitySchemes: z.record(Label, z.record(z.string(), z.unknown())).optional(),
    defaultInputModes: Labels(100).optional(),
    defaultOutputModes: Labels(100).optional(),
    signatures: z.array(CardSignature).max(10).optional(),
  })
  .refine((card) => Buffer.byteLength(JSON.stringify(card)) <= CARD_BYTES, `At most ${CARD_BYTES} bytes as JSON.`)
  .refine((card) => isShallow(card, CARD_DEPTH), `Nested at most ${CARD_DEPTH} deep.`);
export type AgentCard = z.output<typeof AgentCard>;

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return left > 0 && Object.values(value).every((inner) => isShallow(inner, left - 1));
}
