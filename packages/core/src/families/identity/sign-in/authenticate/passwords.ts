import { type Tenant, tenantHosts, tenantNamed, tenants } from "#families/platform/index.js";
import { defineService } from "#kernel/config/environment.js";
import { ReeveError } from "#kernel/http/errors.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { systemContext } from "#kernel/operation/system-context.js";
import type { Row } from "#store/row.js";
import { attempt } from "../../attempts/limit/gate.js";
import { reportFailure } from "../../attempts/limit/report-failure.js";
import type { ProvenPassword } from "../../sessions/start-session.js";
import { credentials } from "../../users/passwords/credentials.js";
import { foldUsername, type User, users } from "../../users/schema.js";

/** The most accounts of one name that a sign-in without a tenant checks. The oldest count. */
const MOST_ACCOUNTS = 3;

/** A hash of no password, so that unknown users take as long as known ones. Computed at the first sign-in. */
export const dummyHash = defineService("identity.dummyHash", (env) => {
  let made: Promise<string> | undefined;
  return {
    hash(): Promise<string> {
      made ??= env.hasher.hash(env.secretBox.fingerprint("nobody", "dummy")).catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      return made;
    },
  };
});

/** Name and password as somebody has typed them, and the tenant that they named. */
export interface TypedPassword {
  readonly username: string;
  readonly password: string;
  readonly tenant?: string | undefined;
}

/** An account with a matching password. */
interface Match extends ProvenPassword {
  readonly tenant: Tenant;
  readonly hash: string;
  readonly rehash: boolean;
}

/** Where a user name is looked for: in one tenant, which need not exist, or in any. */
type Place = { readonly tenantId: string | undefined; readonly within: string } | undefined;

/**
 * The user with this name and password, in the tenant of the host or of `tenant`, otherwise in any. 401 when there is
 * none, 429 after too many attempts at the name there, 409 `tenant_required` when several accounts match. The number of
 * comparisons does not depend on which accounts exist, and states are checked after them, so that the time taken
 * discloses nothing.
 */
export async function provePassword(ctx: ReadContext, body: TypedPassword): Promise<ProvenPassword> {
  const place = await placeOf(ctx, body.tenant);
  return attempt(ctx, { username: body.username, within: place?.within }, () => provenAt(ctx, place, body));
}

/** The tenant of the host or the one that is named. Another one than the host's is none. */
async function placeOf(ctx: ReadContext, tenant: string | undefined): Promise<Place> {
  const hosted = await ctx.env.use(tenantHosts).tenantOf(ctx.request.host);
  if (tenant === undefined) return hosted === undefined ? undefined : { tenantId: hosted, within: hosted };
  const named = await tenantNamed(ctx.env, tenant);
  const tenantId = named !== undefined && (hosted ?? named) === named ? named : undefined;
  // A name that no tenant has is counted like one that has.
  return { tenantId, within: tenantId ?? `no tenant ${tenant.toLowerCase()}` };
}

async function provenAt(ctx: ReadContext, place: Place, body: TypedPassword): Promise<ProvenPassword> {
  const { accounts, comparisons } = await accountsOf(ctx, place, body.username);
  const nobody = await ctx.env.use(dummyHash).hash();
  const matches: Match[] = [];
  // Comparisons run one after another, so that a sign-in uses one slot of the hasher.
  for (let at = 0; at < comparisons; at += 1) {
    const match = await compare(ctx, accounts[at], body.password, nobody);
    if (match) matches.push(match);
  }
  const [match] = matches;
  if (!match) {
    reportFailure(ctx, accounts);
    throw new ReeveError("invalid_credentials");
  }
  if (matches.length > 1)
    throw new ReeveError("tenant_required", undefined, {
      members: { tenants: matches.map(({ tenant }) => tenant.subdomain) },
    });
  if (match.rehash) await strengthen(ctx, match.row, body.password, match.hash);
  return match;
}

/** The accounts with a name, and how many comparisons to make. */
async function accountsOf(
  ctx: ReadContext,
  place: Place,
  username: string,
): Promise<{ readonly accounts: readonly Row<User>[]; readonly comparisons: number }> {
  const { store } = ctx.env;
  const key = { username: foldUsername(username) };
  if (!place) {
    const [accounts, { rows }] = await Promise.all([
      store.platform.lookupAll(users, "username", key, MOST_ACCOUNTS),
      store.platform.find(tenants, { size: MOST_ACCOUNTS }),
    ]);
    // A name has no more accounts than there are tenants, whoever has them.
    return { accounts, comparisons: Math.max(1, rows.length) };
  }
  const row = place.tenantId && (await store.forTenant(place.tenantId).lookup(users, "username", key));
  return { accounts: row ? [row] : [], comparisons: 1 };
}

async function compare(
  ctx: ReadContext,
  row: Row<User> | undefined,
  password: string,
  nobody: string,
): Promise<Match | undefined> {
  const reader = row && ctx.env.store.forTenant(row.tenantId);
  const credential = row && (await reader?.get(credentials, row.id));
  const hash = credential?.value.passwordHash ?? nobody;
  const { ok, rehash } = await ctx.env.hasher.verify(password, hash);
  const tenant = row && (await reader?.get(tenants, row.tenantId));
  const isRight = ok && credential && row?.value.status === "active" && tenant?.value.status === "active";
  if (!isRight) return undefined;
  return { row, securityVersion: credential.value.securityVersion, tenant: tenant.value, hash, rehash };
}

async function strengthen(ctx: ReadContext, row: Row<User>, password: string, proven: string): Promise<void> {
  const passwordHash = await ctx.env.hasher.hash(password);
  await systemContext(ctx.env, row.tenantId, "rehash").write(async (inner) => {
    const previous = (await inner.db.get(credentials, row.id))?.value;
    // If the password was changed in the meantime, the new hash must not replace it.
    if (previous?.passwordHash === proven) await inner.update(credentials, previous, { passwordHash });
  });
}
