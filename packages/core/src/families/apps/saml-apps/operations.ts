import type { z } from "zod";
import { optionsOf } from "#families/options.js";
import { listOperation } from "#kernel/operation/crud.js";
import { defineOperation } from "#kernel/operation/operation.js";
import { Raw } from "#kernel/records/outcome.js";
import { may } from "../access.js";
import { browser } from "../markup/render/dialect.js";
import { changeApp, prepareAppChange } from "./change/change.js";
import { removeApp } from "./change/remove.js";
import { SamlHealth, samlHealth } from "./health-report.js";
import { Preview, PreviewRequest, previewOf } from "./preview-app.js";
import { SamlAppRequest } from "./register/body.js";
import { createApp, prepareApp } from "./register/create.js";
import { formOf, SamlForm } from "./register/form.js";
import { AppPath } from "./rules.js";
import { SamlApp, samlApps } from "./schema.js";

const PATH = "/api/v1/saml-apps";
const shared = { tag: "SAML Applications" } as const;
const CHANGE_ERRORS = [
  "already_exists",
  "connector_error",
  "connector_timeout",
  "invalid_transition",
  "missing_reason",
  "not_configured",
  "read_only_property",
  "saml_invalid",
  "target_not_allowed",
] as const;

export const readForm = defineOperation({
  ...shared,
  id: "samlApps.form",
  method: "GET",
  path: `${PATH}/create`,
  summary: "Tell what registers an application",
  description: "A browser is sent to the page of the option `samlFormUrl` where the host has set one.",
  access: may("write"),
  dialect: browser,
  success: { status: 200, schema: SamlForm },
  async handler(ctx) {
    const { samlFormUrl } = optionsOf(ctx.env);
    if (samlFormUrl && ctx.request.wantsPage)
      return new Raw("", "text/html", { status: 303, headers: { location: samlFormUrl } });
    return formOf(ctx);
  },
});

export const createSamlApp = defineOperation({
  ...shared,
  id: "samlApps.create",
  method: "POST",
  path: `${PATH}/create`,
  summary: "Register an application that people sign on to",
  description:
    "By fields, or by its metadata (`metadataXml`, or `metadataUrl`, which is fetched once); a field wins over metadata. It begins as a draft; with the status `active` those sign on to whom it is assigned.",
  access: may("write"),
  body: SamlAppRequest,
  success: { status: 200, schema: SamlApp },
  errors: CHANGE_ERRORS,
  prepare: (ctx, { body }) => prepareApp(ctx, body),
  handler: (ctx, _input, given) => createApp(ctx, given),
});

export const listSamlApps = listOperation({
  ...shared,
  id: "samlApps.list",
  path: PATH,
  summary: "List applications that people sign on to",
  access: may("read"),
  collection: samlApps,
  schema: SamlApp,
  searched: "name, entity id or description",
  extension: true,
});

export const readSamlApp = defineOperation({
  ...shared,
  id: "samlApps.read",
  method: "GET",
  path: `${PATH}/{appInstanceId}`,
  summary: "Read one application with its sign-on",
  access: may("read"),
  params: AppPath,
  success: { status: 200, schema: SamlApp },
  handler: (ctx, { params }) => ctx.getStored(samlApps, params.appInstanceId),
});

export const updateSamlApp = defineOperation({
  ...shared,
  id: "samlApps.update",
  stops: true,
  method: "PUT",
  path: `${PATH}/{appInstanceId}`,
  summary: "Change an application, its sign-on or its status",
  description:
    "What is left out stays. `certificates` replaces all of them; give the old and the new while an application changes its own.",
  access: may("write"),
  params: AppPath,
  body: SamlAppRequest,
  success: { status: 200, schema: SamlApp },
  errors: CHANGE_ERRORS,
  prepare: (ctx, { params, body }) => prepareAppChange(ctx, params.appInstanceId, body),
  handler: (ctx, _input, change) => changeApp(ctx, change),
});

export const removeSamlApp = defineOperation({
  ...shared,
  id: "samlApps.remove",
  method: "DELETE",
  path: `${PATH}/{appInstanceId}`,
  summary: "Remove an application, and end its sessions",
  access: may("write"),
  extension: true,
  params: AppPath,
  success: { status: 204 },
  async handler(ctx, { params }) {
    await removeApp(ctx, await ctx.getForUpdate(samlApps, params.appInstanceId));
    return undefined;
  },
});

export const readSamlHealth = defineOperation({
  ...shared,
  id: "samlApps.health",
  method: "GET",
  path: `${PATH}/health`,
  summary: "Tell how applications and their sign-ons do",
  access: may("read"),
  success: { status: 200, schema: SamlHealth },
  handler: (ctx) => samlHealth(ctx),
});

export const previewSamlApp = defineOperation({
  ...shared,
  id: "samlApps.preview",
  method: "POST",
  path: `${PATH}/{appInstanceId}/preview`,
  summary: "Show what an application would be told of somebody",
  access: may("read"),
  extension: true,
  effect: "read",
  params: AppPath,
  body: PreviewRequest.optional(),
  success: { status: 200, schema: Preview },
  errors: ["invalid_reference"],
  handler: async (ctx, { params, body }) =>
    previewOf(
      ctx,
      await ctx.getOrThrow(samlApps, params.appInstanceId),
      body ?? ({} as z.output<typeof PreviewRequest>),
    ),
});
