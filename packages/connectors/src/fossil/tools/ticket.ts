import { ConnectorError, type ToolResult } from "@reeve/core/connectors";
import { done, refused } from "../../tool-results.js";
import type { Fossil } from "../configuration.js";
import type { Project } from "../repositories.js";
import { addressOf } from "../session.js";

const CSRF = /<input[^>]*\bname="csrf"[^>]*\bvalue="([^"]+)"/;
const MADE = /\/tktview(?:\/|\?name=)([0-9a-f]{40,64})$/;

/** Opens a ticket by Fossil's own form, since its JSON interface reads tickets only. */
export async function fileTicket(
  ctx: Fossil,
  { session, name }: Project,
  fields: Readonly<Record<string, string>>,
): Promise<ToolResult> {
  const form = `${addressOf(ctx, name)}/tktnew`;
  const headers = { cookie: session.cookie, referer: form };
  const shown = await ctx.fetch(form, { headers, redirect: "manual" });
  const [, csrf] = CSRF.exec(await shown.text()) ?? [];
  if (shown.status >= 500) throw new ConnectorError("transient", "Fossil shows no form for tickets.");
  // Fossil leads to its page to sign in where somebody may not open tickets.
  if (shown.status !== 200) return refused("permission", "Fossil refuses tickets to this user.");
  if (csrf === undefined) return refused("unsupported", "The repository has a form for tickets that is not known.");
  const sent = await ctx.fetch(form, {
    method: "POST",
    headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
    redirect: "manual",
    body: new URLSearchParams({ ...fields, csrf, submit: "Submit" }).toString(),
  });
  await sent.body?.cancel();
  const led = sent.headers.get("location") ?? "";
  const [, ticket] = MADE.exec(led) ?? [];
  if (ticket !== undefined) return done({ ticket });
  if (/\/login\b/.test(led)) return refused("permission", "Fossil refuses tickets to this user.");
  if (sent.status >= 400 && sent.status < 500) return refused("invalid", "Fossil does not take the ticket.");
  throw new ConnectorError("outcome_unknown", "Fossil does not say whether it has the ticket.");
}
