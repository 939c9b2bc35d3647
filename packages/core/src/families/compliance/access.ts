export const PATH = "/api/v1/ai/compliance";
export const shared = { tag: "AI Compliance" } as const;
export const may = (verb: "read" | "assess" | "attest" | "frameworks") =>
  ({ permission: `ai-compliance:${verb}`, capability: "compliance" }) as const;
