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
  id: Label.meta({ description: "Id of the skill." }),
  name: Label.meta({ description: "Name of the skill." }),
  description: Text.optional().meta({ description: "What the skill does." }),
  tags: z.array(Label).max(100).optional().meta({ description: "Words for the skill." }),
});

/** One signature of a card: a JSON Web Signature over the card in canonical form, without its signatures. */
const CardSignature = z.looseObject({
  protected: Base64url.meta({ description: "The protected header, base64url." }),
  signature: Base64url.meta({ description: "The signature, base64url." }),
  header: z.record(z.string(), z.unknown()).optional().meta({ description: "The unprotected header." }),
});

/**
 * An agent card of the Agent2Agent protocol, stored as given. Members common to versions 0.3 and 1.0 are checked.
 * Others are allowed.
 */
export const AgentCard = z
  .looseObject({
    name: Label.meta({ description: "Name of the agent." }),
    description: Text.optional().meta({ description: "What the agent does." }),
    version: Label.optional().meta({ description: "Version of the agent." }),
    url: Url.optional().meta({ description: "Where the agent is reached." }),
    supportedInterfaces: z
      .array(z.looseObject({ url: Url.meta({ description: "Where the interface is reached." }) }))
      .max(50)
      .optional()
      .meta({ description: "Interfaces that the agent has." }),
    skills: z.array(Skill).max(200).optional().meta({ description: "What the agent can do." }),
    securitySchemes: z
      .record(Label, z.record(z.string(), z.unknown()))
      .optional()
      .meta({ description: "How callers prove themselves, by name." }),
    defaultInputModes: Labels(100).optional().meta({ description: "Media types that it takes." }),
    defaultOutputModes: Labels(100).optional().meta({ description: "Media types that it answers with." }),
    signatures: z.array(CardSignature).max(10).optional().meta({ description: "Signatures over the card." }),
  })
  .refine((card) => Buffer.byteLength(JSON.stringify(card)) <= CARD_BYTES, `At most ${CARD_BYTES} bytes as JSON.`)
  .refine((card) => isShallow(card, CARD_DEPTH), `Nested at most ${CARD_DEPTH} deep.`);
export type AgentCard = z.output<typeof AgentCard>;

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return left > 0 && Object.values(value).every((inner) => isShallow(inner, left - 1));
}
