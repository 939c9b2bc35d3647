import { expectOk } from "@reeve/core/connectors";
import { methods, read, send } from "../connector.js";
import type { Member } from "../service.js";
import { failing, type Mistake, throwing } from "./mistake.js";

/** Mistakes of grants, revocations and changes. */
export const accessMistakes: readonly Mistake[] = [
  [
    "grants more than was asked for",
    "a grant adds that access and touches no other",
    () => ({
      async grant(ctx, spec) {
        await methods.grant(ctx, { ...spec, profileExternalId: "reader" });
        return methods.grant(ctx, spec);
      },
    }),
  ],
  [
    "applies a grant again",
    "a grant that is there already is already_applied, also by another call",
    () => ({
      async grant(ctx, spec) {
        await methods.grant(ctx, spec);
        return { outcome: "applied" };
      },
    }),
  ],
  [
    "revokes of others too",
    "a revocation removes that access and touches no other",
    () => ({
      async revoke(ctx, spec) {
        await send(ctx, "/teams/red/members/grace?role=reader", { method: "DELETE" });
        return methods.revoke(ctx, spec);
      },
    }),
  ],
  [
    "fails to revoke what is not there",
    "a revocation of what is not there is already_applied",
    () => ({
      async revoke(ctx, spec) {
        const result = await methods.revoke(ctx, spec);
        return result.outcome === "already_applied" ? throwing("not_found")() : result;
      },
    }),
  ],
  [
    "leaves out the removal of what it does not see",
    "access that the target does not show is revoked all the same, and not said to be gone before",
    () => ({
      async revoke(ctx, spec) {
        const seen = await methods.verify(ctx, spec);
        return seen.presence === "absent" ? { outcome: "already_applied" } : methods.revoke(ctx, spec);
      },
    }),
  ],
  [
    "writes the whole list of members back",
    "access that somebody else gets in the middle of a write stays",
    () => ({
      async grant(ctx, { resource, principal, profileExternalId: role, expiresAt }) {
        const path = `/teams/${resource.externalId}/members`;
        const { items } = await read<{ items: Member[] }>(ctx, path);
        const user = principal.externalId;
        if (items.some((one) => one.user === user && one.role === role)) return { outcome: "already_applied" };
        const body = JSON.stringify([...items, { user, role, expiresAt: expiresAt?.toISOString() ?? null }]);
        await expectOk(await send(ctx, path, { method: "PUT", body }), "Writing");
        return { outcome: "applied" };
      },
    }),
  ],
  [
    "calls a missing resource its own mistake",
    "a resource that is not there is not_found, and its grants are absent",
    () => ({
      grant: (ctx, spec) => failing(methods.grant(ctx, spec), { errorClass: "not_found" }, throwing("fatal")),
    }),
  ],
  [
    "leaves the access that it changes",
    "a change replaces one access by the other",
    () => ({ modify: (ctx, _from, to) => methods.grant(ctx, to) }),
  ],
  [
    "finds whatever it is asked for",
    "verify agrees with the oracle",
    () => ({ verify: async (ctx, spec) => ({ ...(await methods.verify(ctx, spec)), presence: "present" }) }),
  ],
  [
    "lists grants of everything",
    "grants are listed of one resource or of some principals where they are asked for",
    () => ({ listGrants: (ctx, _query, page) => methods.listGrants(ctx, {}, page) }),
  ],
  [
    "forgets when access ends",
    "the target keeps the end of access that it ends by itself",
    () => ({ grant: (ctx, { expiresAt: _end, ...spec }) => methods.grant(ctx, spec) }),
  ],
];
