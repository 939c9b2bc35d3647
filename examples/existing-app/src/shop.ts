import type { Database } from "./database.js";

/** The parts of a request that a framework has parsed. */
export interface Ask {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The visitor's session. */
  readonly session: { user?: string | undefined };
}

export interface Answer {
  readonly status: number;
  readonly body: object;
}

export interface Route {
  readonly method: "get" | "post";
  /** With a colon before each parameter. */
  readonly path: string;
  readonly summary: string;
  answer(ask: Ask): Promise<Answer>;
}

/** A refusal by the shop, for its error handler. */
export class ShopError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The shop without Reeve: its routes, by name, on its own tables. */
export function shopOn({ all }: Database) {
  const found = async (statement: string, id: string | undefined, what: string) => {
    const [row] = await all(statement, /^\d{1,9}$/.test(id ?? "") ? Number(id) : -1);
    if (!row) throw new ShopError(404, `There is no such ${what}.`);
    return row;
  };
  const ok = (body: object): Answer => ({ status: 200, body });

  const listOrders: Route = {
    method: "get",
    path: "/api/v1/orders",
    summary: "List orders",
    async answer({ query }) {
      const { status } = query;
      const rows =
        typeof status === "string"
          ? await all("SELECT * FROM orders WHERE status = ? ORDER BY id", status)
          : await all("SELECT * FROM orders ORDER BY id");
      return ok({ orders: rows });
    },
  };
  const makeOrder: Route = {
    method: "post",
    path: "/api/v1/orders",
    summary: "Order something",
    async answer({ body }) {
      const { item } = (body ?? {}) as { item?: unknown };
      if (typeof item !== "string") throw new ShopError(400, "Which item?");
      const [order] = await all("INSERT INTO orders (item, status) VALUES (?, 'open') RETURNING *", item);
      await all("INSERT INTO events (about, happened) VALUES (?, 'ordered')", Number(order?.id));
      return { status: 201, body: { ...order } };
    },
  };
  const showOrder: Route = {
    method: "get",
    path: "/api/v1/orders/:id",
    summary: "Show an order",
    answer: async ({ params }) => ok(await found("SELECT * FROM orders WHERE id = ?", params.id, "order")),
  };
  const listEvents: Route = {
    method: "get",
    path: "/api/v1/orders/:id/events",
    summary: "List what happened to an order",
    async answer({ params }) {
      const { id } = await found("SELECT id FROM orders WHERE id = ?", params.id, "order");
      return ok({ events: await all("SELECT * FROM events WHERE about = ? ORDER BY seq", Number(id)) });
    },
  };
  const listUsers: Route = {
    method: "get",
    path: "/api/v1/users",
    summary: "List users",
    answer: async () =>
      ok({
        users: await all("SELECT u.*, t.title FROM users u JOIN tenants t ON t.id = u.tenant ORDER BY u.id"),
      }),
  };
  const showUser: Route = {
    method: "get",
    path: "/api/v1/users/:id",
    summary: "Show a user",
    answer: async ({ params }) => ok(await found("SELECT * FROM users WHERE id = ?", params.id, "user")),
  };
  const signIn: Route = {
    method: "post",
    path: "/api/session",
    summary: "Sign in",
    async answer({ body, session }) {
      const { login } = (body ?? {}) as { login?: unknown };
      const [user] = await all("SELECT * FROM users WHERE login = ?", String(login));
      if (!user) throw new ShopError(401, "Nobody has that name.");
      session.user = String(user.login);
      return ok({ user: session.user });
    },
  };
  const showSession: Route = {
    method: "get",
    path: "/api/session",
    summary: "Who has signed in",
    answer: async ({ session }) => ok({ user: session.user ?? null }),
  };
  const fail: Route = {
    method: "get",
    path: "/api/failure",
    summary: "Fail",
    answer: async () => Promise.reject(new Error("The shop's own mistake.")),
  };
  return { listOrders, makeOrder, showOrder, listEvents, listUsers, showUser, signIn, showSession, fail };
}

export type Shop = ReturnType<typeof shopOn>;

/** The answer of the shop's error handler, in each framework. */
export function refusalOf(error: unknown): Answer {
  const { status, statusCode, message } = Object(error) as { status?: number; statusCode?: number; message?: string };
  const code = status ?? statusCode ?? 500;
  return { status: code, body: { error: code < 500 ? message : "Something went wrong in the shop." } };
}

export const NOT_FOUND: Answer = { status: 404, body: { error: "There is nothing here." } };
