import { client } from "../../api/client.js";

/** What somebody is about to stop, or to let go on. */
export type StopTarget =
  | { readonly act: "halt"; readonly name: string; readonly scope: "all_agents" }
  | { readonly act: "halt"; readonly name: string; readonly scope: "team" | "mcp_server"; readonly target: string }
  | { readonly act: "suspendModel"; readonly name: string; readonly id: string; readonly version: number }
  | { readonly act: "terminate" | "suspend" | "lift"; readonly name: string; readonly id: string };

/** Does it. Stops need no reason at once; whoever gives none is asked for it later. */
export function send(stop: StopTarget, reason: string): Promise<unknown> {
  const why = reason === "" ? {} : { reason };
  switch (stop.act) {
    case "halt": {
      const target = stop.scope === "all_agents" ? {} : { target: stop.target };
      return client.POST("/api/v1/ai/halts", { body: { scope: stop.scope, ...target, ...why } });
    }
    case "suspendModel":
      return client.PATCH("/api/v1/ai-assets/{id}/governance-state", {
        params: { path: { id: stop.id } },
        ifMatch: stop,
        body: { status: "suspended", ...why },
      });
    case "terminate":
      return client.POST("/api/v1/ai/sessions/{id}/terminate", { params: { path: { id: stop.id } }, body: why });
    case "suspend":
      return client.POST("/api/v1/ai/sessions/{id}/suspend", { params: { path: { id: stop.id } }, body: why });
    case "lift":
      return client.POST("/api/v1/ai/halts/{id}/lift", { params: { path: { id: stop.id } }, body: why });
  }
}
