import { type Ask, judgeAsks } from "#families/governance/index.js";
import { canonical } from "#kernel/events/canonical.js";
import { ReeveError } from "#kernel/http/errors.js";
import { cursorScope } from "#kernel/operation/page.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { nameRecords } from "../name-records.js";
import { owedIn } from "../split-obligations.js";
import { Candidates, type Standing } from "./candidates.js";

/** Candidates that are read and judged together. */
const TOGETHER = 100;
/** The most results of one answer, and the most candidates that it examines. */
export const MOST_RESULTS = 100;
export const MOST_EXAMINED = 1_000;

interface Party {
  readonly type: string;
  readonly id?: string | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

/** A search as it is asked: the part that is searched lacks its id or is absent. */
export interface Search {
  readonly searched: "subject" | "resource" | "action";
  readonly asked: {
    readonly subject: Party;
    readonly action?: Ask["action"] | undefined;
    readonly resource: Party;
    readonly context?: Readonly<Record<string, unknown>> | undefined;
  };
  readonly page?: { readonly token?: string | undefined; readonly limit?: number | undefined } | undefined;
}

/** Asks of one candidate after another what a decision would be now, and gives those that it would allow, as they are to be shown. */
export async function searchCandidates<Found extends object>(
  ctx: ReadContext,
  search: Search,
  shown: (found: string) => Found,
) {
  const { searched, asked, page = {} } = search;
  const limit = Math.min(page.limit ?? MOST_RESULTS, MOST_RESULTS);
  const part = searched === "action" ? { what: searched } : { what: searched, type: asked[searched].type };
  const candidates = new Candidates(ctx, part);
  const tokens = new Tokens(ctx, search);
  let standing: Standing | undefined = tokens.open(page.token);
  const results: Allowed[] = [];
  let examined = 0;
  while (standing && results.length < limit && examined < MOST_EXAMINED) {
    const { ids, next } = await candidates.take(TOGETHER, standing);
    const allowed = await allowedOf(ctx, search, ids);
    const fitting = allowed.slice(0, limit - results.length);
    results.push(...fitting);
    examined += ids.length;
    const last = fitting.at(-1)?.id;
    standing = last !== undefined && fitting.length < allowed.length ? { ...standing, behind: last } : next;
  }
  return {
    page: { next_token: standing ? tokens.seal(standing) : "", count: results.length },
    context: { partial: !candidates.complete },
    results: results.map(({ id, owed }) => ({ ...shown(id), ...(owed.length > 0 ? { obligations: owed } : {}) })),
  };
}

/** A candidate that a decision would allow, and what must then be done. */
interface Allowed {
  readonly id: string;
  readonly owed: ReturnType<typeof owedIn>;
}

/** The candidates that a decision would allow, by one judgement of all. */
async function allowedOf(ctx: ReadContext, search: Search, ids: readonly string[]): Promise<Allowed[]> {
  if (ids.length === 0) return [];
  const { asks } = await nameRecords(
    ctx,
    ids.map((id) => askOf(search, id)),
  );
  const judged = await judgeAsks(ctx, asks);
  return ids.flatMap((id, index) => {
    const { status, obligations = [] } = judged[index] ?? {};
    return status === "allow" ? [{ id, owed: owedIn(obligations) }] : [];
  });
}

function askOf({ searched, asked }: Search, id: string): Ask {
  const { subject, action, resource, context = {} } = asked;
  return {
    subject: { ...subject, id: searched === "subject" ? id : (subject.id ?? "") },
    action: searched === "action" ? { name: id } : (action ?? { name: "" }),
    resource: { ...resource, id: searched === "resource" ? id : (resource.id ?? "") },
    context,
  } as Ask;
}

/** Tokens of a search, which go on with that search alone. */
class Tokens {
  readonly #label: string;

  constructor(
    private readonly ctx: ReadContext,
    { searched, asked }: Search,
  ) {
    this.#label = `token ${cursorScope(ctx.principal.tenantId, `authzen.${searched}`, canonical(asked))}`;
  }

  open(token: string | undefined): Standing {
    if (!token) return { source: 0 };
    const opened = this.ctx.env.secretBox.open(token, this.#label);
    if (opened === undefined) throw new ReeveError("invalid_cursor");
    return JSON.parse(opened) as Standing;
  }

  seal(standing: Standing): string {
    return this.ctx.env.secretBox.seal(JSON.stringify(standing), this.#label);
  }
}
