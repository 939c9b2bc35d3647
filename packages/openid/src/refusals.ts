import type { OpenidRefusal } from "@reeve/core";
import { AuthorizationResponseError, ResponseBodyError } from "openid-client";

/** The provider cannot be had now. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** The longest text of another system in a log. */
const SHOWN = 200;

/** Why a sign-in does not go on, of what was thrown. The provider's own words go to the log only, and cut off. */
export function refusalOf(error: unknown): OpenidRefusal {
  const causes = causesOf(error);
  const away = causes.find((one) => one instanceof Unreachable);
  if (away) return { refused: "unreachable", reason: (away as Error).message };
  if (error instanceof AuthorizationResponseError)
    return { refused: error.error === "access_denied" ? "denied" : "not_accepted", reason: cut(error.error) };
  if (error instanceof ResponseBodyError) return { refused: "not_accepted", reason: cut(error.error) };
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
  return { refused: "not_accepted", reason: cut(`${code ?? "error"}: ${message ?? ""}`) };
}

function causesOf(error: unknown): unknown[] {
  const found: unknown[] = [];
  for (let one = error; one !== undefined && found.length < 5; one = Object(one).cause) found.push(one);
  return found;
}

const cut = (text: string) => [...text].slice(0, SHOWN).join("");
