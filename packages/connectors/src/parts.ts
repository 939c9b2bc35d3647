import type { LeftOutPart } from "@reeve/core/connectors";
import type { z } from "zod";

/** The most parts of one item that are told one by one. */
const MOST = 20;

/**
 * Reads what a target says of an item part by part. A part of an odd form is left out and told, and the rest stands.
 * What guards something, such as a digest, is never left out by itself: leave out all that it guards.
 */
export class Parts {
  readonly #leftOut: Omit<LeftOutPart, "externalId">[] = [];

  /** A part that may be missing. */
  read<T>(value: unknown, part: string, shape: z.ZodType<T>): T | undefined {
    if (value === undefined || value === null) return undefined;
    const { data, success } = shape.safeParse(value);
    if (success) return data;
    this.leaveOut(part, value === "" ? "It is empty." : "It has not the form that is expected.");
    return undefined;
  }

  /** A part that ought to be there; told as well where it is missing. */
  expect<T>(value: unknown, part: string, shape: z.ZodType<T>): T | undefined {
    if (value === undefined || value === null) this.leaveOut(part, "It is missing.");
    return this.read(value, part, shape);
  }

  /** Members of a list, each read by itself. `undefined` where there is no list. */
  each<T>(
    value: unknown,
    part: string,
    most: number,
    read: (one: unknown, part: string) => T | undefined,
  ): T[] | undefined {
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) {
      this.leaveOut(part, "It is no list.");
      return undefined;
    }
    if (value.length > most) this.leaveOut(`${part}[${most}]`, `It and what follows are more than ${most}.`);
    return value.slice(0, most).flatMap((one, at) => read(one, `${part}[${at}]`) ?? []);
  }

  leaveOut(part: string, reason: string): void {
    if (this.#leftOut.length < MOST) this.#leftOut.push({ part, reason });
  }

  /** What was left out of the item with this id. */
  of(externalId: string): readonly LeftOutPart[] {
    return this.#leftOut.map((one) => ({ externalId, ...one }));
  }
}
