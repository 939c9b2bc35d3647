import type { ReadContext } from "#kernel/operation/read-context.js";
import type { Installation } from "../installations/schema.js";
import { type Publication, publications } from "../publications/schema.js";
import type { Effect } from "./fields.js";
import { effectOf } from "./rules.js";

/** Adds to installations what is in force there. Those that are asked about at once share a query. */
export class Effects {
  #waiting: Map<string, Promise<Publication | undefined>> | undefined;

  constructor(private readonly ctx: ReadContext) {}

  async of<I extends Installation>(installation: I): Promise<I & Effect> {
    const latest = await this.#latest(`${installation.agentId}:${installation.client}`);
    return { ...installation, ...effectOf(installation, latest, this.ctx.request.nowMs) };
  }

  #latest(key: string): Promise<Publication | undefined> {
    this.#waiting ??= new Map();
    const asked = this.#waiting;
    const all = asked.size === 0 ? Promise.resolve().then(() => this.#read(asked)) : this.#reading;
    this.#reading = all;
    const known = asked.get(key) ?? all.then((found) => found.get(key));
    asked.set(key, known);
    return known;
  }

  #reading: Promise<Map<string, Publication>> = Promise.resolve(new Map());

  async #read(asked: Map<string, unknown>): Promise<Map<string, Publication>> {
    this.#waiting = undefined;
    const values = [...asked.keys()];
    const found = await this.ctx.db.findTopPerKey(publications, { field: "agentClient", values, size: 1 });
    return new Map([...found].flatMap(([key, [row]]) => (row ? [[key, row.value] as const] : [])));
  }
}
