import express, { type Request } from "express";
import { newAcme } from "../acme.js";

declare global {
  namespace Express {
    interface Request {
      account: { readonly tenantId: string };
    }
  }
}

const acme = await newAcme();
const { client } = acme.owner;
const { data: agent } = await client.POST("/api/v1/ai/agents", { body: { name: "Ticket agent" } });
const { data: identity } = await client.POST("/api/v1/ai/identities", { body: { name: "Triage", kind: "workload" } });
const { data: session } = await client.POST("/api/v1/ai/sessions", { body: { agentId: agent.assetId } });

export const controlPlane = acme.controlPlane;
export const tenantId = acme.tenantId;
export const sessionId = session.id;
/** The client of an MCP server. */
export const mcp = {
  callTool: async (call: object, _options: { readonly signal: AbortSignal }) => ({ content: [call] }),
};
/** A model that searches once. */
export const model = {
  turns: 0,
  async next(_options: { readonly signal: AbortSignal }) {
    this.turns += 1;
    return { usage: { input: 900, output: 100 }, cost: 0.01, done: this.turns === 2, query: "open tickets" };
  },
};
export const log = (...of: unknown[]) => process.emitWarning(of.join(" "));
export const app = express();
export const forward = async (request: Request, _signal: AbortSignal) => ({ path: request.path });
export const env = acme.env;
export const placeholders = [
  ["ast_01K…", agent.assetId],
  ["idn_01K…", identity.id],
  ["usr_01K…", acme.owner.userId],
] as const;
