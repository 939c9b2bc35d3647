import { ById, listOperation, readOperation } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { moveBody } from "#kernel/records/open-body.js";
import { Effects } from "../reports/queries.js";
import { InstallationReport, takeReport, withEffect } from "../reports/take-report.js";
import { RotatedInstallationCredential, rotateOwnCredential } from "./credentials/rotate.js";
import { EnrolledInstallation, EnrolmentRequest, enrol } from "./enrol-installation.js";
import { EnrolmentCodeRequest, IssuedEnrolmentCode, issueCode, revokeCode } from "./issue-code.js";
import { revokeInstallation } from "./revoke-installation.js";
import { EnrolmentCode, enrolmentCodes, InstallationView, installations } from "./schema.js";

const PATH = "/api/v1/ai/installations";
const CODES = "/api/v1/ai/installation-codes";
const tag = "AI Enforcement";
const may = (verb: "read" | "enrol" | "revoke" | "act") =>
  ({ permission: `installation:${verb}`, capability: "ai_governance" }) as const;
const ofCodes = { tag, path: CODES, collection: enrolmentCodes, schema: EnrolmentCode, extension: true } as const;

export const listCodes = listOperation({
  ...ofCodes,
  id: "installationCodes.list",
  summary: "List enrolment codes, without the codes themselves",
  access: may("read"),
});

export const readCode = readOperation({
  ...ofCodes,
  id: "installationCodes.read",
  summary: "Read one enrolment code, without the code itself",
  access: may("read"),
});

export const createCode = defineOperation({
  id: "installationCodes.create",
  method: "POST",
  path: CODES,
  tag,
  summary: "Make a code that enrols installations of an agent, and show it this once",
  description:
    "Who makes it answers for the agent, or may assign assets. Whoever has the code enrols an installation that may ask for decisions, and nothing else.",
  extension: true,
  access: may("enrol"),
  secret: true,
  body: EnrolmentCodeRequest,
  success: { status: 201, schema: IssuedEnrolmentCode },
  errors: ["invalid_reference"],
  handler: (ctx, { body }) => issueCode(ctx, body),
});

export const revokeEnrolmentCode = defineOperation({
  id: "installationCodes.revoke",
  stops: true,
  method: "POST",
  path: `${CODES}/{id}/revoke`,
  tag,
  summary: "Revoke an enrolment code",
  description: "What it has enrolled stays.",
  extension: true,
  access: may("enrol"),
  params: ById,
  body: moveBody({ id: "EnrolmentCodeRevocation", to: "revoked", example: { reason: "It was mailed to too many." } }),
  success: { status: 200, schema: EnrolmentCode },
  errors: ["invalid_transition"],
  handler: (ctx, { params, body: { reason } }) => revokeCode(ctx, params.id, reason),
});

export const enrolInstallation = defineOperation({
  id: "installations.enrol",
  method: "POST",
  path: `${PATH}/enrol`,
  tag,
  summary: "Enrol an installation by a code, and show its credential this once",
  description:
    "The code in the body is the only credential. A code that is unknown, over or withdrawn is answered alike. The installation acts as an AI identity of its own, whose asset can be suspended and halted.",
  extension: true,
  access: "public",
  effect: "own",
  body: EnrolmentRequest,
  success: { status: 201, schema: EnrolledInstallation },
  errors: ["invalid_token", "permission_denied", "limit_exceeded"],
  handler: (ctx, { body }) => enrol(ctx, body),
});

export const listInstallations = defineOperation({
  id: "installations.list",
  method: "GET",
  path: PATH,
  tag,
  summary: "List installations, each with what is in force there",
  extension: true,
  access: may("read"),
  query: listQuery(installations, "name, person or team"),
  success: { status: 200, schema: pageOf(InstallationView) },
  handler(ctx, { query }) {
    const effects = new Effects(ctx);
    return ctx.page(installations, query, {}, (installation) => effects.of(installation));
  },
});

export const readInstallation = defineOperation({
  id: "installations.read",
  method: "GET",
  path: `${PATH}/{id}`,
  tag,
  summary: "Read one installation, with what is in force there",
  extension: true,
  access: may("read"),
  params: ById,
  success: { status: 200, schema: InstallationView },
  handler: async (ctx, { params }) => new Effects(ctx).of(await ctx.getOrThrow(installations, params.id)),
});

export const reportInstallation = defineOperation({
  id: "installations.report",
  method: "POST",
  path: "/api/v1/ai/installation/report",
  tag,
  summary: "Report what the calling installation has in force",
  description:
    "The digest is of the files as they are found on disk. A server that was not published is kept with its host or program, and its address and arguments as a hash.",
  extension: true,
  access: may("act"),
  unkept: ["servers"],
  body: InstallationReport,
  success: { status: 200, schema: InstallationView },
  handler: async (ctx, { body }) => withEffect(ctx, await takeReport(ctx, body)),
});

export const revokeOneInstallation = defineOperation({
  id: "installations.revoke",
  stops: true,
  method: "POST",
  path: `${PATH}/{id}/revoke`,
  tag,
  summary: "Revoke an installation for good",
  description: "Its credential is refused from the next request on, in every process.",
  extension: true,
  access: may("revoke"),
  params: ById,
  body: moveBody({ id: "InstallationRevocation", to: "revoked", example: { reason: "The laptop was lost." } }),
  success: { status: 200, schema: InstallationView },
  errors: ["invalid_transition"],
  async handler(ctx, { params, body: { reason } }) {
    const installation = await ctx.getForUpdate(installations, params.id);
    return withEffect(ctx, await revokeInstallation(ctx, installation, reason));
  },
});

export const rotateInstallationCredential = defineOperation({
  id: "installations.rotateCredential",
  method: "POST",
  path: "/api/v1/ai/installation/credential",
  tag,
  summary: "Issue a new credential to the calling installation",
  description: "The one before works for another hour. A rotation is not repeated by a key: ask again.",
  extension: true,
  access: may("act"),
  secret: true,
  success: { status: 201, schema: RotatedInstallationCredential },
  errors: ["limit_exceeded"],
  handler: (ctx) => rotateOwnCredential(ctx),
});
