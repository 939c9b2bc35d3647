import type { z } from "zod";
import type { Context } from "#kernel/operation/context.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import type { GenericBody } from "#kernel/records/generic-body.js";
import { samlAppStatus } from "../machine.js";
import { type AppBody, checkEncryption, checkSigning, readAppBody } from "../register/body.js";
import { readTrust, type Trust } from "../register/trust.js";
import { type SamlApp, samlApps } from "../schema.js";
import { closeApp } from "./closing.js";

/** A change as it was read from outside. */
export interface AppChange {
  readonly id: string;
  readonly given: GenericBody;
  readonly trust: Trust;
  readonly known: z.ZodObject | undefined;
}

/** Reads what a change brings from outside, before the transaction. 404 when there is no such application. */
export async function prepareAppChange(
  ctx: ReadContext,
  id: string,
  given: GenericBody,
  known?: z.ZodObject,
): Promise<AppChange> {
  const current = await ctx.getOrThrow(samlApps, id);
  return { id, given, known, trust: await readTrust(ctx, readAppBody(given, ctx.env.options.baseUrl, current, known)) };
}

/** Stores a change, within the transaction. What a body leaves out stays. */
export async function changeApp(ctx: Context, { id, given, trust, known }: AppChange): Promise<SamlApp> {
  const before = await ctx.getForUpdate(samlApps, id);
  const body = readAppBody(given, ctx.env.options.baseUrl, before, known);
  const patch = { ...trust, ...body.fields };
  if ("encrypted" in patch || "encryptionCertificate" in patch) checkEncryption({ ...before, ...patch });
  if ("signedRequests" in patch || "signingCertificates" in patch) checkSigning({ ...before, ...patch });
  return moveApp(ctx, await ctx.update(samlApps, before, patch, { reason: body.reason }), body);
}

/** Moves an application to the status that a body names. A disabled one has no sessions. */
export async function moveApp(
  ctx: Context,
  app: SamlApp,
  { status, reason }: Pick<AppBody, "status" | "reason">,
): Promise<SamlApp> {
  if (status === undefined) return app;
  const moved = await ctx.transition(
    samlApps,
    samlAppStatus,
    app,
    { to: status },
    reason === undefined ? {} : { reason },
  );
  if (moved.status === "disabled") await closeApp(ctx, app.id, "application_disabled");
  return moved;
}
