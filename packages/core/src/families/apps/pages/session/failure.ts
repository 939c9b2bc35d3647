import type { ReeveError } from "#kernel/http/errors.js";
import type { SignInFailure } from "../../markup/render/pages.js";

const MINUTE = 60;

/** What people are told where the form is shown once more, by the code of the refusal. */
const TEXTS: Readonly<Record<string, (seconds: number) => string>> = {
  invalid_credentials: () => "The e-mail address or the password is not right.",
  invalid_otp: () => "The code is not right, or was used before.",
  tenant_required: () => "Several organisations know you by this password. Choose one, and type the password again.",
  too_many_attempts: (seconds) => `Too many attempts. Try again in ${minutes(seconds)}.`,
  overloaded: () => "Too many people sign in just now. Try again in a moment.",
};

/** How a sign-in that was refused goes on with the form; `undefined` where the form cannot mend it. */
export function failureOf(
  { code, status, headers, members }: ReeveError,
  byChallenge: boolean,
): SignInFailure | undefined {
  const isOver = byChallenge && code === "invalid_credentials";
  const text = isOver ? "It took too long. Sign in again." : TEXTS[code]?.(Number(headers["retry-after"] ?? 0));
  if (text === undefined) return undefined;
  const { tenants = [] } = members as { readonly tenants?: readonly string[] };
  // A form that only asks once more is an ordinary page. One that says to wait is a refusal.
  return { text, status: "retry-after" in headers ? status : 200, headers, tenants };
}

function minutes(seconds: number): string {
  const count = Math.max(1, Math.ceil(seconds / MINUTE));
  return count === 1 ? "a minute" : `${count} minutes`;
}
