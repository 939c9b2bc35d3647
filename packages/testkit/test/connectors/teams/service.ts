import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const TOKEN = "token-of-the-teams-service";

export interface Member {
  readonly user: string;
  readonly role: string;
  readonly expiresAt: string | null;
}

interface Named {
  readonly id: string;
  name: string;
}

export interface Team extends Named {
  members: Member[];
}

/** Uses of bots, by minute of the first hour of 2026. */
export const USED = [1, 2, 30, 59].map((minute) => ({
  id: `use-${minute}`,
  user: "linus",
  at: new Date(Date.UTC(2026, 0, 1, 0, minute)),
}));

/** Tokens that people sign in with. */
export const TOKENS: Readonly<Record<string, readonly { readonly id: string; readonly label: string }[]>> = {
  ada: [
    { id: "token-1", label: "Laptop" },
    { id: "token-2", label: "Build" },
  ],
  linus: [{ id: "token-3", label: "Laptop" }],
};

/** Who is there. */
export const PEOPLE = ["ada", "grace", "linus"].map((id) => ({ id, name: `${id}@teams.example` }));

/** The address of the next part of a listing. */
function nextOf({ pathname, searchParams }: URL, body: unknown): string | undefined {
  const { items, total = 0 } = (body ?? {}) as { items?: readonly unknown[]; total?: number };
  const end = Number(searchParams.get("offset") ?? 0) + (items?.length ?? 0);
  if (!items || end >= total) return undefined;
  const query = new URLSearchParams(searchParams);
  query.set("offset", String(end));
  return `${pathname}?${query}`;
}

type Answer = readonly [status: number, body?: unknown];

/** A small service with bots, and teams of members who have roles. */
export class TeamsService {
  bots: Named[] = [];
  teams: Team[] = [];
  readonly sessions = new Map<string, number>();
  /** Answers show no members, though changes of them are made. */
  hidesMembers = false;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => this.#serve(request, response));
    this.reset();
  }

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  reset(): void {
    this.bots = Array.from({ length: 5 }, (_, at) => ({ id: `bot-${at}`, name: `Bot ${at}` }));
    this.teams = ["red", "green", "blue"].map((id) => ({ id, name: `Team ${id}`, members: [] }));
    this.sessions.clear();
    this.hidesMembers = false;
    this.add("red", "linus", "reader");
    this.add("green", "linus", "writer");
  }

  /** Whether the member was not there before. */
  add(teamId: string, user: string, role: string, expiresAt: string | null = null): boolean {
    const team = this.#team(teamId) as Team;
    if (team.members.some((member) => member.user === user && member.role === role)) return false;
    team.members.push({ user, role, expiresAt });
    return true;
  }

  #team(id: string | undefined): Team | undefined {
    return this.teams.find((team) => team.id === id);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://teams.invalid");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const known = request.headers.authorization === `Bearer ${TOKEN}`;
    const [status, body] = known ? this.#answer(request.method ?? "", url, text && JSON.parse(text)) : [401];
    const next = nextOf(url, body);
    const link = next === undefined ? {} : { link: `<http://${request.headers.host}${next}>; rel="next"` };
    response
      .writeHead(status, { "content-type": "application/json", ...link })
      .end(body ? JSON.stringify(body) : undefined);
  }

  #answer(method: string, { pathname, searchParams }: URL, body: Record<string, string>): Answer {
    const [first, id, second, user] = pathname.slice(1).split("/");
    const part = (all: readonly unknown[]): Answer => {
      const [start, limit] = [Number(searchParams.get("offset") ?? 0), Number(searchParams.get("limit") ?? 100)];
      return [200, { items: all.slice(start, start + limit), total: all.length }];
    };
    if (first === "org") return [200, { id: "org-1", name: "Teams Ltd" }];
    if (first === "usage") {
      const [since, until] = [searchParams.get("since") ?? "", searchParams.get("until") ?? ""];
      return part(USED.filter(({ at }) => at >= new Date(since) && at < new Date(until)));
    }
    if (first === "tokens") return part(TOKENS[id as string] ?? []);
    if (first === "people") return part(PEOPLE.filter(({ name }) => name.startsWith(searchParams.get("name") ?? "")));
    if (first === "sessions") {
      const ended = this.sessions.get(id as string) ?? 0;
      this.sessions.delete(id as string);
      return [200, { ended }];
    }
    if (first === "bots" && method === "POST") return [201, this.bots.push({ id: "bot-new", name: "New" })];
    if (first === "bots") return part(this.bots);
    if (first === "teams" && id === undefined)
      return part(this.teams.map((team) => ({ id: team.id, name: team.name })));
    const team = this.#team(id);
    if (first !== "teams" || !team) return [404, { missing: "team" }];
    if (second === "members" && !user && method === "PUT") {
      team.members = body as unknown as Member[];
      return [204];
    }
    if (second === "members" && !user) return part(this.hidesMembers ? [] : team.members);
    return this.#member(method, team, user as string, body, searchParams.get("role"));
  }

  #member(method: string, team: Team, user: string, body: Record<string, string>, role: string | null): Answer {
    if (method === "PUT") {
      return [this.add(team.id, user, body.role as string, body.expiresAt ?? null) ? 201 : 200, {}];
    }
    const gone = method === "POST" ? body.from : role;
    const before = team.members.length;
    team.members = team.members.filter((member) => member.user !== user || member.role !== gone);
    if (team.members.length === before) return [404, { missing: "member" }];
    if (method === "POST") this.add(team.id, user, body.to as string);
    return [204];
  }
}
