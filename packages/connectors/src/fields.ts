import { z } from "zod";

/** Configuration: the address of an API. Credentials have a place of their own, and no part of it is left out later. */
export const BaseUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .refine(isPlain, "An address without user, password, query and fragment.");

function isPlain(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` === "";
}

/** A secret that is sent in a header. */
export const HeaderSecret = z
  .string()
  .max(8_192)
  .regex(/^[\x21-\x7e]+$/, "Visible ASCII characters without spaces.");

/** A text of a target that every store can keep: not empty, without NUL, well-formed. */
export const Text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => !text.includes("\0") && text.isWellFormed());

/** A name for people, which is more than blanks. */
export const Visible = (most: number) => Text(most).refine((text) => text.trim() !== "");

/** Configuration: words for a search or a name. */
export const Words = (most: number) => z.string().trim().min(1).max(most);

/** An address to compare by: the same for all ways to write it. */
export function canonicalUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

/** The target of a connection test where nothing but the address tells one from another. */
export const targetAt = (baseUrl: string) => ({ id: canonicalUrl(baseUrl), name: new URL(baseUrl).host });
