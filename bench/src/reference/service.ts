import { z } from "zod";
import { ASSET_TYPES, type Asset, assetOf, dtoOf, Move, mayMove, NewAsset, newId } from "./asset.js";
import type { AssetPage, Backend } from "./backend.js";
import { createdEvent, movedEvent } from "./event.js";
import type { Caller, Verifier } from "./token.js";

/** A refusal with its status. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

/** The answer of a handler: a value to serialise, or text. */
export interface Answer {
  readonly body: object | string;
  readonly version?: number;
}

/** The answer to a create, with headers for its location and possible duplicates. */
export interface Created {
  readonly headers: Readonly<Record<string, string>>;
}

const Query = z.strictObject({
  page: z.coerce.number().int().min(0).default(0),
  size: z.coerce.number().int().min(1).max(100).default(25),
  cursor: z.string().max(1_024).optional(),
  search: z.string().max(200).optional(),
  assetType: z.enum(ASSET_TYPES).optional(),
});
const Cursor = z.tuple([z.string(), z.string()]);

/** The compared operations, written without Reeve. `asText` serves reads as their stored text. */
export class Service {
  constructor(
    private readonly backend: Backend,
    private readonly verifier: Verifier,
    private readonly asText: boolean,
  ) {}

  async caller(header: string | undefined): Promise<Caller> {
    const caller = await this.verifier.verify(header);
    if (!caller) throw new Refusal(401, header === undefined ? "token_missing" : "invalid_token");
    return caller;
  }

  async read({ tenantId }: Caller, id: string): Promise<Answer> {
    const text = await this.backend.find(tenantId, id);
    if (text === undefined) throw new Refusal(404, "not_found");
    if (this.asText) return { body: text, version: Number(/"version":(\d+)/.exec(text)?.[1]) };
    const asset = JSON.parse(text) as Asset;
    return { body: dtoOf(asset, new Date().toISOString()), version: asset.version };
  }

  async list({ tenantId }: Caller, given: unknown): Promise<Answer> {
    const { page, size, cursor, search, assetType } = parsed(Query, given);
    const found = await this.backend.page({
      tenantId,
      assetType,
      search: search?.normalize("NFKC").toLowerCase(),
      size,
      page,
      after: cursor === undefined ? undefined : positionOf(cursor),
      asText: this.asText,
    });
    return { body: this.asText ? pageText(found, page, size) : pageBody(found, page, size) };
  }

  async create({ tenantId, userId }: Caller, given: unknown): Promise<Answer & Created> {
    const now = Date.now();
    const asset = assetOf(parsed(NewAsset, given), userId, now);
    const event = createdEvent(asset, userId, newId("req", now), now);
    const [, similar] = await Promise.all([
      this.backend.create(tenantId, asset, event),
      this.backend.similar(tenantId, asset),
    ]);
    const location = `/api/v1/ai-assets/${asset.id}`;
    const link = similar.map((id) => `</api/v1/ai-assets/${id}>; rel="related"; by="name"`).join(", ");
    return { body: asset, version: asset.version, headers: link === "" ? { location } : { location, link } };
  }

  async move({ tenantId, userId }: Caller, id: string, given: unknown): Promise<Answer> {
    const { status } = parsed(Move, given);
    const text = await this.backend.find(tenantId, id);
    if (text === undefined) throw new Refusal(404, "not_found");
    const previous = JSON.parse(text) as Asset;
    if (!mayMove(previous.status, status)) throw new Refusal(409, "invalid_transition");
    const now = Date.now();
    const next = {
      ...previous,
      status,
      version: previous.version + 1,
      editVersion: previous.version + 1,
      updatedAt: new Date(now).toISOString(),
      updatedBy: userId,
    };
    const event = movedEvent(next, { from: previous.status, to: status }, userId, newId("req", now), now);
    if (!(await this.backend.move(tenantId, next, previous, event))) throw new Refusal(409, "conflict");
    return { body: next, version: next.version };
  }
}

/** The body of a refusal. */
export function problemOf(error: unknown): { readonly status: number; readonly body: object } {
  const { status, code } = error instanceof Refusal ? error : new Refusal(500, "internal");
  return { status, body: { type: `urn:reeve:error:${code}`, title: code, status, code } };
}

function parsed<T extends z.ZodType>(schema: T, given: unknown): z.output<T> {
  const result = schema.safeParse(given);
  if (!result.success) throw new Refusal(400, "invalid_request");
  return result.data;
}

function pageBody({ items, total, exact, next }: AssetPage, page: number, size: number): object {
  const now = new Date().toISOString();
  return {
    items: (items as readonly string[]).map((item) => dtoOf(JSON.parse(item) as Asset, now)),
    page,
    size,
    totalItems: total,
    totalPages: Math.ceil(total / size),
    totalRelation: exact ? "exact" : "atLeast",
    nextCursor: next ? cursorOf(next) : null,
  };
}

function pageText({ items, total, exact, next }: AssetPage, page: number, size: number): string {
  const cursor = next ? `"${cursorOf(next)}"` : "null";
  const relation = exact ? "exact" : "atLeast";
  return `{"items":${items},"page":${page},"size":${size},"totalItems":${total},"totalPages":${Math.ceil(total / size)},"totalRelation":"${relation}","nextCursor":${cursor}}`;
}

function cursorOf({ createdAt, id }: { readonly createdAt: string; readonly id: string }): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString("base64url");
}

function positionOf(cursor: string): { createdAt: string; id: string } {
  try {
    const [createdAt, id] = Cursor.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
    return { createdAt, id };
  } catch {
    throw new Refusal(400, "invalid_cursor");
  }
}
