import { reading, tag } from "#families/access/index.js";
import { ById } from "#kernel/operation/crud.js";
import { listQuery } from "#kernel/operation/list-query.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { pageOf } from "#kernel/operation/page.js";
import { actionBody } from "#kernel/records/open-body.js";
import { beginClose } from "./close/close.js";
import { CertificationConfirmation, confirmCertification } from "./close/confirm.js";
import { requireEnder } from "./close/second.js";
import { CertificationRequest, checkTerms, readCertificationBody } from "./create/body.js";
import { createCertification } from "./create/create.js";
import { certificationStatus } from "./machine.js";
import { certificationRuns, certifications, ShownCertification } from "./schema.js";
import { certificationView } from "./view-certification.js";
import { wake } from "./work/continue.js";

const PATH = "/api/v1/access-certifications";
const may = (verb: "write" | "confirm") =>
  ({ permission: `access-certification:${verb}`, capability: "access_governance" }) as const;

export const listCertifications = defineOperation({
  ...reading,
  tag,
  id: "accessCertifications.list",
  path: PATH,
  summary: "List the certifications of access, newest first",
  query: listQuery(certifications),
  success: { status: 200, schema: pageOf(ShownCertification) },
  handler: (ctx, { query }) => ctx.page(certifications, query, {}, certificationView(ctx)),
});

export const createCertificationRequest = defineOperation({
  tag,
  id: "accessCertifications.create",
  method: "POST",
  path: PATH,
  summary: "Begin a certification: people say whether access is still right",
  description: "It gathers what it is about by itself, and one about nothing is over at once.",
  access: may("write"),
  body: CertificationRequest.optional(),
  success: { status: 200, schema: ShownCertification },
  errors: ["self_appointment_forbidden", "invalid_reference", "read_only_property"],
  async handler(ctx, { body = {} }) {
    const { fields, name, metadata, attributes } = readCertificationBody(ctx, body);
    await checkTerms(ctx, fields);
    const own = { name: name ?? `Certification of ${ctx.now.slice(0, 10)}`, metadata, attributes };
    return certificationView(ctx)(await createCertification(ctx, fields, own));
  },
});

export const readCertification = defineOperation({
  ...reading,
  tag,
  id: "accessCertifications.read",
  path: `${PATH}/{id}`,
  summary: "Read a certification, how far it is, and its report",
  params: ById,
  success: { status: 200, schema: ShownCertification },
  handler: async (ctx, { params }) => certificationView(ctx)(await ctx.getOrThrow(certifications, params.id)),
});

const ends = {
  tag,
  method: "POST",
  extension: true,
  params: ById,
  success: { status: 200, schema: ShownCertification },
  errors: [
    ...(["invalid_transition", "transition_guard_failed", "missing_reason"] as const),
    ...(["self_approval_forbidden", "related_party_forbidden"] as const),
  ],
} as const;

export const closeCertification = defineOperation({
  ...ends,
  id: "accessCertifications.close",
  path: `${PATH}/{id}/close`,
  summary: "Close a certification before its time",
  description:
    "What nobody has decided keeps its access, so people who are involved in it are refused. What was decided is carried out.",
  access: may("write"),
  body: actionBody({ id: "AccessCertificationClosing", example: { reason: "Everybody has answered." } }),
  async handler(ctx, { params, body: { reason } }) {
    const campaign = await ctx.getForUpdate(certifications, params.id);
    await requireEnder(ctx, campaign, "close");
    const closed = await beginClose(ctx, campaign, { reason, triggeredBy: "user" });
    await wake(ctx, closed.id);
    return certificationView(ctx)(closed);
  },
});

export const confirmRevocations = defineOperation({
  ...ends,
  id: "accessCertifications.confirm",
  path: `${PATH}/{id}/confirm`,
  summary: "Confirm what a certification revokes, or have it revoke less",
  description:
    "Refused to its reviewers, to whoever began it, and to people involved in access that is kept by it. The same confirmation again changes nothing.",
  access: may("confirm"),
  body: CertificationConfirmation,
  async handler(ctx, { params, body }) {
    const campaign = await ctx.getForUpdate(certifications, params.id);
    return certificationView(ctx)(await confirmCertification(ctx, campaign, body));
  },
});

export const cancelCertification = defineOperation({
  ...ends,
  id: "accessCertifications.cancel",
  path: `${PATH}/{id}/cancel`,
  summary: "Cancel a certification; what it has not carried out stays as it is",
  description:
    "Refused to whoever is involved in that access. A review of emergency access is neither cancelled nor closed.",
  access: may("write"),
  body: actionBody({ id: "AccessCertificationCancellation", example: { reason: "It was about the wrong assets." } }),
  async handler(ctx, { params, body: { reason } }) {
    const campaign = await ctx.getForUpdate(certifications, params.id);
    await requireEnder(ctx, campaign, "cancel");
    const patch = { endedAt: ctx.now };
    const move = { event: "cancel" } as const;
    const cancelled = await ctx.transition(certifications, certificationStatus, campaign, move, { reason, patch });
    const run = await ctx.db.lookup(certificationRuns, "certification", { certificationId: campaign.id });
    if (run) await ctx.update(certificationRuns, run.value, { phase: "cancelling", cursor: null, dueAt: ctx.now });
    return certificationView(ctx)(cancelled);
  },
});
