import type { z } from "zod";
import { settings } from "#families/platform/index.js";
import { ReeveError } from "#kernel/http/errors.js";
import { schemaFaults } from "#kernel/http/schema-faults.js";
import { defineOperation } from "#kernel/operation/operation.js";
import type { ReadContext } from "#kernel/operation/read-context.js";
import { type GenericBody, splitBody } from "#kernel/records/generic-body.js";
import { minutesMs } from "#ports/durations.js";
import type { Mail } from "#ports/mailer.js";
import { budgets } from "../attempts/limit/budgets.js";
import { attempt, budgetOf, peerOf, refundQuietly, requireRoom } from "../attempts/limit/gate.js";
import { mailService } from "../password-links/send/mail-service.js";
import { foldUsername } from "../users/schema.js";
import { CodeProof, CodeRequest, OtpSent, OtpVerified, SendOtp, VerifyOtp } from "./schema.js";
import { issueCode, redeemCode, withdrawCode } from "./verify-codes.js";

/** The most codes per address in a minute and in an hour, and per peer in an hour. */
export const SEND_LIMITS = { minute: 1, hour: 5, peer: 30 } as const;

export const sendOtp = defineOperation({
  id: "email.sendOtp",
  method: "POST",
  path: "/api/v1/email/send-otp",
  tag: "Registration",
  summary: "Mail a one-time code to an address",
  description:
    "Answers alike whether the address belongs to a user or not. The code has eight digits, works for ten minutes and five tries, and replaces an earlier one for the same purpose.",
  access: "public",
  body: SendOtp,
  success: { status: 200, schema: OtpSent },
  errors: ["too_many_attempts", "not_configured", "connector_error", "overloaded", "registration_closed"],
  effect: "own",
  killSwitches: ["registration"],
  async handler(ctx, { body }) {
    const target = readFields(CodeRequest, body);
    if (target.purpose === "registration" && ctx.env.use(settings).get("registration.policy") === "closed")
      throw new ReeveError("registration_closed");
    const post = ctx.env.use(mailService);
    post.require();
    const { ofAddress, ofPeer } = sendBudgets(ctx, target.email);
    requireRoom(await ctx.env.use(budgets).spend([...ofAddress, ofPeer]));
    const { code, stored } = await issueCode(ctx, target);
    try {
      await post.send(codeMail(ctx, target.email, code));
    } catch (error) {
      await withdrawCode(ctx, stored);
      await refundQuietly(ctx, ofAddress);
      throw error;
    }
    return { expiresAt: stored.expiresAt };
  },
});

export const verifyOtp = defineOperation({
  id: "email.verifyOtp",
  method: "POST",
  path: "/api/v1/email/verify-otp",
  tag: "Registration",
  summary: "Trade a one-time code for a proof of the address",
  access: "public",
  body: VerifyOtp,
  success: { status: 200, schema: OtpVerified },
  errors: ["invalid_otp", "too_many_attempts"],
  effect: "own",
  secret: true,
  async handler(ctx, { body }) {
    const { otp, ...target } = readFields(CodeProof, body);
    const subject = { username: target.email, within: undefined };
    const { token, expiresAt } = await attempt(ctx, subject, () => redeemCode(ctx, target, otp));
    return { verificationToken: token, expiresAt };
  },
});

function sendBudgets(ctx: ReadContext, email: string) {
  const address = foldUsername(email);
  return {
    ofAddress: [
      budgetOf(ctx.env, ["send minute", address], SEND_LIMITS.minute, minutesMs(1)),
      budgetOf(ctx.env, ["send hour", address], SEND_LIMITS.hour, minutesMs(60)),
    ],
    ofPeer: budgetOf(ctx.env, ["send peer", peerOf(ctx)], SEND_LIMITS.peer, minutesMs(60)),
  };
}

function codeMail(ctx: ReadContext, to: string, code: string): Mail {
  const { host } = new URL(ctx.env.options.baseUrl);
  return {
    to,
    subject: `Your code for ${host}`,
    text: [
      `Your code for ${host} is`,
      "",
      `    ${code}`,
      "",
      "It works once, within ten minutes. Nobody who works for us will ask you for it.",
      "If you did not ask for a code, you can ignore this message.",
      "",
    ].join("\n"),
  };
}

/** The fields of a schema in a generic body, at the top level or in `configuration`. 400 when invalid. */
function readFields<S extends z.ZodObject>(schema: S, body: GenericBody): z.output<S> {
  const { fields } = splitBody(body, Object.keys(schema.shape), []);
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  throw new ReeveError("invalid_request", undefined, { errors: schemaFaults(parsed.error) });
}
