import { z } from "zod";

/** Characters that no name of a file or branch needs: control, direction, backslash. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\\]/u;
/** A per cent sign before two digits may be decoded once more on the way. */
const ENCODED = /%[0-9a-f]{2}/i;

/** A path in one spelling only, so that a limit to paths cannot be met by another one. */
export const Path = z
  .string()
  .min(1)
  .max(1_000)
  .refine(isPlainPath, "A path from the root, without `..`, `.`, empty and encoded parts.");

function isPlainPath(path: string): boolean {
  if (UNSEEN.test(path) || ENCODED.test(path) || path.normalize("NFC") !== path) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== ".." && !/^\.git$/i.test(part));
}

export const Branch = z
  .string()
  .min(1)
  .max(200)
  .refine(isBranch, "The name of a branch, as git allows it, without `refs/`.");

function isBranch(name: string): boolean {
  if (UNSEEN.test(name) || ENCODED.test(name) || /[\s~^:?*[]|\.\.|@\{|^-|^@$|\.$|^refs\//.test(name)) return false;
  if (/^[0-9a-f]{40}$/i.test(name)) return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

/** `owner/name`, of which neither can be read as another address. */
export const RepositoryName = z
  .string()
  .max(201)
  .regex(/^[A-Za-z0-9][\w-]{0,99}\/(?!\.{1,2}$)[\w.-]{1,100}$/, "A repository as `owner/name`.");

export const Text = (most: number) => z.string().max(most);
export const Title = z.string().trim().min(1).max(256);
export const Number_ = z.int().min(1).max(2_147_483_647);
