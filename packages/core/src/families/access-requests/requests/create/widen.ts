import { wideningRequests } from "#families/access-grants/index.js";
import { extend } from "#kernel/config/extension.js";
import { canonical } from "#kernel/events/canonical.js";
import { createRequest } from "./create.js";

/** What `modify` may not do at once becomes a request that people decide. */
export const askForMore = extend(
  wideningRequests,
  async (ctx, one, { accessProfileId, parameters, expiresAt, reason }) => {
    const isSame = accessProfileId === one.accessProfileId && canonical(parameters) === canonical(one.parameters);
    const { id } = await createRequest(ctx, one.assetId, {
      fields: {
        type: isSame ? "extend" : "modify",
        assignmentId: one.id,
        ...(isSame ? {} : { items: [{ accessProfileId, resourceId: one.resourceId, parameters }] }),
        ...(expiresAt === null ? { permanent: true } : { expiresAt }),
      },
      reason,
      free: {},
    });
    return id;
  },
);
