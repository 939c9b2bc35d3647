import { ConnectorError } from "@reeve/core/connectors";
import { methods, send } from "../connector.js";
import { failing, type Mistake, ORG } from "./mistake.js";

/** Mistakes of tests, and of calls that only read. */
export const connectionMistakes: readonly Mistake[] = [
  [
    "fails a test that works",
    "a test passes with the right credentials",
    () => ({
      testConnection: async (ctx) => ({
        ...(await methods.testConnection(ctx)),
        checks: [{ ...ORG, category: "network", status: "fail" }],
      }),
    }),
  ],
  [
    "names another target each time",
    "a test names its target, and makes each statement once and of a capability that is claimed",
    () => {
      let calls = 0;
      return {
        testConnection: async (ctx) => ({
          ...(await methods.testConnection(ctx)),
          target: { id: `org-${calls++}`, name: "Teams" },
        }),
      };
    },
  ],
  [
    "shows its token in a check",
    "a test quotes no secret",
    () => ({
      testConnection: async (ctx) => ({
        ...(await methods.testConnection(ctx)),
        checks: [{ ...ORG, message: `Works with ${await ctx.secret("token")}.` }],
      }),
    }),
  ],
  [
    "passes a test with wrong credentials",
    "wrong credentials are refused as auth by every method that calls the target",
    () => ({
      testConnection: (ctx) =>
        failing(methods.testConnection(ctx), { errorClass: "auth" }, () => ({ checks: [ORG], target: null })),
    }),
  ],
  [
    "shows its token in a failure",
    "wrong credentials are refused as auth by every method that calls the target",
    () => ({
      async listResources(ctx, type, page) {
        const token = await ctx.secret("token");
        return failing(methods.listResources(ctx, type, page), { errorClass: "auth" }, () => {
          throw new ConnectorError("auth", `The service refuses ${token}.`);
        });
      },
    }),
  ],
  [
    "creates something in a test",
    "reading changes nothing in the target",
    () => ({
      async testConnection(ctx) {
        await send(ctx, "/bots", { method: "POST" });
        return methods.testConnection(ctx);
      },
    }),
  ],
];
