import { foldUsername, roles, type User, users } from "#families/identity/index.js";
import { batched } from "#kernel/async/batched.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** The most people of a role that review together. A larger role is nobody in particular. */
const MOST = 50;
const ADDRESS = /@/;

/** Finds people who may review, or hold another permission, each once however often they are asked for. */
export class Reviewers {
  readonly #ctx: ReadContext;
  readonly #permission: string;
  readonly #byId: (id: string) => Promise<User | undefined>;
  readonly #byAddress: (address: string) => Promise<User | undefined>;
  readonly #byRole = new Map<string, Promise<readonly User[]>>();

  constructor(ctx: ReadContext, permission = "access-certification:review") {
    this.#ctx = ctx;
    this.#permission = permission;
    const read = batched<string, User>(async (ids) => {
      const rows = await ctx.db.getMany(users, ids);
      return new Map(rows.map(({ id, value }) => [id, value]));
    });
    const lookUp = batched<string, User>(async (names) => {
      const rows = await ctx.db.lookupMany(
        users,
        "username",
        names.map((username) => ({ username })),
      );
      return new Map(rows.flatMap((row, at) => (row ? [[names[at] as string, row.value] as const] : [])));
    });
    this.#byId = remembered(read);
    this.#byAddress = remembered(lookUp);
  }

  /** Whoever of these ids and addresses is a working account that may review. */
  async named(ids: readonly string[]): Promise<User[]> {
    const found = await Promise.all(
      ids.map((id) => (ADDRESS.test(id) ? this.#byAddress(foldUsername(id)) : this.#byId(id))),
    );
    return found.filter((user) => user !== undefined && this.#mayReview(user)) as User[];
  }

  /** Everybody with a role, unless that is too many. */
  ofRole(role: string): Promise<readonly User[]> {
    let found = this.#byRole.get(role);
    if (!found) {
      found = this.#readRole(role);
      this.#byRole.set(role, found);
    }
    return found;
  }

  async #readRole(role: string): Promise<readonly User[]> {
    const { rows, next } = await this.#ctx.db.find(users, { where: { roles: role }, size: MOST + 1 });
    const working = rows.map(({ value }) => value).filter((user) => this.#mayReview(user));
    return next || working.length > MOST ? [] : working;
  }

  #mayReview({ status, roles: names }: User): boolean {
    const permissions = this.#ctx.env.use(roles).permissionsOf(names);
    return status === "active" && permissions.has(this.#permission);
  }
}

function remembered<T>(load: (key: string) => Promise<T | undefined>): (key: string) => Promise<T | undefined> {
  const known = new Map<string, Promise<T | undefined>>();
  return (key) => {
    let found = known.get(key);
    if (!found) {
      found = load(key);
      known.set(key, found);
    }
    return found;
  };
}

/** Whether somebody is among these, by id or address. */
export const isAmong = ({ id, username }: Pick<User, "id" | "username">, involved: readonly string[]): boolean =>
  involved.some((party) => party === id || foldUsername(party) === foldUsername(username));
