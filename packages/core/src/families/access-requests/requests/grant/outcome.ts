import type { RequestItem } from "../schema.js";

/** What the items of a request come to; `undefined` while the target works on one of them. */
export function outcomeOf(items: readonly RequestItem[]): "finish" | "finish_partly" | "fail" | undefined {
  if (items.some(({ status }) => status === "provisioning" || status === "waiting")) return undefined;
  const done = items.filter(({ status }) => status === "provisioned").length;
  if (done === items.length) return "finish";
  return done > 0 ? "finish_partly" : "fail";
}
