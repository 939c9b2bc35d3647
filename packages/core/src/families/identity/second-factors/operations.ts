import { notFound, ReeveError } from "#kernel/http/errors.js";
import type { Context } from "#kernel/operation/context.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { z } from "#schema/z.js";
import { beginEnrolment } from "./manage/begin-enrolment.js";
import { adoptFactor, beginFactor, confirmingTotp, newTotp, recordChange, setCodes } from "./manage/enrol.js";
import { confirmingPasskey, newPasskey } from "./manage/enrol-passkey.js";
import { ownAccount, ownAccountToChange } from "./manage/own-account.js";
import { factorsOf, isRequired, isRequiredNow } from "./queries.js";
import { hasFactor } from "./rules.js";
import {
  CodeConfirmation,
  Enrolment,
  EnrolmentBegun,
  FactorConfirmed,
  OneTimePasswordBegun,
  PasskeyBegin,
  PasskeyBegun,
  PasskeyConfirmation,
  RecoveryCodes,
  type SecondFactor,
  SecondFactors,
  secondFactors,
} from "./schema.js";

const PATH = "/api/v1/auth/factors";
const shared = { tag: "Authentication", extension: true } as const;
const mine = { ...shared, access: "signed-in" } as const;

export const readFactors = defineOperation({
  ...mine,
  id: "secondFactors.read",
  method: "GET",
  path: PATH,
  summary: "See one's own second factors",
  success: { status: 200, schema: SecondFactors },
  errors: ["permission_denied"],
  async handler(ctx) {
    const { id } = await ownAccount(ctx);
    const factors = await factorsOf(ctx.db, id);
    const of = (wanted: SecondFactor["kind"]) => factors.find(({ kind }) => kind === wanted);
    const codes = of("recovery_codes");
    const totp = of("totp");
    return {
      required: await isRequired(ctx.env, ctx.principal.tenantId),
      oneTimePassword: totp ? useOf(totp) : null,
      passkeys: factors
        .filter(({ kind }) => kind === "passkey")
        .map((one) => ({ id: one.id, name: one.name, ...useOf(one) })),
      recoveryCodes: codes ? { ...useOf(codes), left: codes.codeHashes.length } : null,
    };
  },
});

const useOf = ({ confirmedAt, createdAt, lastUsedAt }: SecondFactor) => ({
  createdAt: confirmedAt ?? createdAt,
  lastUsedAt,
});

export const beginOneTimePassword = defineOperation({
  ...mine,
  id: "secondFactors.beginOneTimePassword",
  method: "POST",
  path: `${PATH}/one-time-password`,
  summary: "Begin to set up an app for one-time passwords",
  description: "It counts once a first code was shown, and takes the place of an earlier app then.",
  success: { status: 201, schema: OneTimePasswordBegun },
  errors: ["permission_denied", "step_up_required"],
  secret: true,
  async prepare(ctx) {
    return newTotp(ctx, ctx.principal.tenantId, await ownAccountToChange(ctx));
  },
  async handler(ctx, _input, { factor, shown }) {
    await beginFactor(ctx, await ownAccountToChange(ctx), factor);
    return shown;
  },
});

export const confirmOneTimePassword = defineOperation({
  ...mine,
  id: "secondFactors.confirmOneTimePassword",
  method: "POST",
  path: `${PATH}/one-time-password/confirm`,
  summary: "Confirm the app for one-time passwords by its first code",
  description: "The first factor of a person ends their other sign-ins, and brings recovery codes.",
  body: CodeConfirmation,
  success: { status: 200, schema: FactorConfirmed },
  errors: ["permission_denied", "step_up_required", "invalid_otp", "too_many_attempts"],
  secret: true,
  async prepare(ctx, { body }) {
    return confirmingTotp(ctx, ctx.principal.tenantId, (await ownAccountToChange(ctx)).id, body.code);
  },
  async handler(ctx, _input, confirm) {
    const { recoveryCodes } = await adoptFactor(ctx, await ownAccountToChange(ctx), confirm);
    return recoveryCodes ? { recoveryCodes } : {};
  },
});

export const removeOneTimePassword = defineOperation({
  ...mine,
  id: "secondFactors.removeOneTimePassword",
  method: "DELETE",
  path: `${PATH}/one-time-password`,
  summary: "Remove the app for one-time passwords",
  description: "With the last factor the recovery codes go too. Refused with the last one where one is demanded.",
  success: { status: 204 },
  errors: ["permission_denied", "step_up_required", "not_found", "in_use"],
  async handler(ctx) {
    const person = await ownAccountToChange(ctx);
    await removeFactor(ctx, person, (factor) => factor.kind === "totp");
    return undefined;
  },
});

/** Removes one factor of a person. With the last one the recovery codes go too. */
async function removeFactor(
  ctx: Context,
  person: { readonly id: string; readonly name: string },
  isMeant: (factor: SecondFactor) => boolean,
): Promise<void> {
  const factors = await factorsOf(ctx.db, person.id);
  const meant = factors.find(isMeant);
  if (!meant) throw notFound();
  const left = factors.filter((factor) => factor !== meant);
  if (!hasFactor(left) && (await isRequiredNow(ctx.env, ctx.db)))
    throw new ReeveError("in_use", "Your organisation demands a second factor; set up another one first.");
  for (const factor of hasFactor(left) ? [meant] : factors) await ctx.remove(secondFactors, factor);
  await recordChange(ctx, person, "removed", meant.kind);
}

export const beginPasskey = defineOperation({
  ...mine,
  id: "secondFactors.beginPasskey",
  method: "POST",
  path: `${PATH}/passkeys`,
  summary: "Begin to add a passkey",
  description: "Give `options` to `navigator.credentials.create`. The passkey counts once its answer was confirmed.",
  body: PasskeyBegin,
  success: { status: 201, schema: PasskeyBegun },
  errors: ["permission_denied", "step_up_required", "not_configured", "in_use"],
  secret: true,
  async prepare(ctx, { body }) {
    return newPasskey(ctx, ctx.principal.tenantId, await ownAccountToChange(ctx), body.name);
  },
  async handler(ctx, _input, { factor, shown }) {
    await beginFactor(ctx, await ownAccountToChange(ctx), factor);
    return shown;
  },
});

export const confirmPasskey = defineOperation({
  ...mine,
  id: "secondFactors.confirmPasskey",
  method: "POST",
  path: `${PATH}/passkeys/confirm`,
  summary: "Confirm a passkey by what the browser has made",
  description: "The first factor of a person ends their other sign-ins, and brings recovery codes.",
  body: PasskeyConfirmation,
  success: { status: 200, schema: FactorConfirmed },
  errors: ["permission_denied", "step_up_required", "invalid_otp", "too_many_attempts", "not_configured"],
  secret: true,
  async prepare(ctx, { body }) {
    return confirmingPasskey(ctx, ctx.principal.tenantId, (await ownAccountToChange(ctx)).id, body.passkey);
  },
  async handler(ctx, _input, confirm) {
    const { recoveryCodes } = await adoptFactor(ctx, await ownAccountToChange(ctx), confirm);
    return recoveryCodes ? { recoveryCodes } : {};
  },
});

export const removePasskey = defineOperation({
  ...mine,
  id: "secondFactors.removePasskey",
  method: "DELETE",
  path: `${PATH}/passkeys/{passkeyId}`,
  summary: "Remove a passkey",
  description: "With the last factor the recovery codes go too. Refused with the last one where one is demanded.",
  params: z.object({ passkeyId: z.string().max(64).meta({ description: "Id of the passkey here." }) }),
  success: { status: 204 },
  errors: ["permission_denied", "step_up_required", "in_use"],
  async handler(ctx, { params }) {
    const person = await ownAccountToChange(ctx);
    await removeFactor(ctx, person, ({ id, kind }) => kind === "passkey" && id === params.passkeyId);
    return undefined;
  },
});

export const renewRecoveryCodes = defineOperation({
  ...mine,
  id: "secondFactors.renewRecoveryCodes",
  method: "POST",
  path: `${PATH}/recovery-codes`,
  summary: "Make new recovery codes in place of the earlier ones",
  success: { status: 201, schema: RecoveryCodes },
  errors: ["permission_denied", "step_up_required", "not_found"],
  secret: true,
  async handler(ctx) {
    const person = await ownAccountToChange(ctx);
    if (!hasFactor(await factorsOf(ctx.db, person.id)))
      throw new ReeveError("not_found", "Recovery codes come with a second factor; set one up first.");
    await recordChange(ctx, person, "renewed", "recovery_codes");
    return { recoveryCodes: await setCodes(ctx, person.id) };
  },
});

export const enrolFactor = defineOperation({
  ...shared,
  id: "secondFactors.enrol",
  method: "POST",
  path: `${PATH}/enrolment`,
  summary: "Begin to set up a second factor that a sign-in waits for",
  description:
    "For who must have one and has none yet. `POST /api/v1/auth/signin` with the challenge and a first code, or the passkey that was made, confirms it and signs in.",
  access: "public",
  body: Enrolment,
  success: { status: 201, schema: EnrolmentBegun },
  errors: ["invalid_credentials", "already_exists", "not_configured", "in_use"],
  effect: "own",
  secret: true,
  killSwitches: ["signin"],
  async handler(ctx, { body }) {
    return beginEnrolment(ctx, body.challenge, body.method);
  },
});
