import { decideInProcess } from "#families/governance/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { z } from "#schema/z.js";
import { nameRecords } from "../authzen/name-records.js";
import { HEADERS, questionOf } from "./question-of.js";

export const askForward = defineOperation({
  id: "forwardAuth.ask",
  method: "GET",
  path: "/forward-auth",
  tag: "AI Policies",
  mount: "doors",
  extension: true,
  summary: "Decide whether a proxy may let a request pass",
  description:
    "For `auth_request` of nginx, `forward_auth` of Caddy, `ForwardAuth` of Traefik and their like. The subject is the sender of the token. The call of a tool is told by `Mcp-Method` and `Mcp-Name`, and any other request by its method and path. 200 lets it pass; 403 and all else do not.",
  access: { permission: "ai-decision:evaluate", capability: "ai_governance" },
  // The decision is committed before a refusal ends the request.
  effect: "own",
  proof: "authorization",
  openQuery: true,
  headers: HEADERS,
  errors: ["decision_denied"],
  success: {
    status: 200,
    schema: z
      .object({
        decision: z.literal(true).meta({ description: "Nothing speaks against it." }),
        decisionId: z.string().meta({ description: "The event about it names it." }),
      })
      .meta({ id: "ForwardAuthAnswer" }),
  },
  async handler(ctx) {
    const question = questionOf(ctx.principal, ctx.request.headers ?? {});
    if (!question)
      throw new ReeveError("decision_denied", "It is not said what is called, nor by which method on what.");
    const { asks } = await nameRecords(ctx, [question]);
    const [ask = question] = asks;
    const { id, decision, context } = await decideInProcess(ctx.env, ctx.principal, ctx.request, ask);
    if (!decision) throw new ReeveError("decision_denied", context?.reasons.map(({ message }) => message).join(" "));
    return { decision: true as const, decisionId: id };
  },
});
