import { requireEventTypes } from "#families/activity/index.js";
import type { ReadContext } from "#kernel/operation/read-context.js";

/** Refuses types that no event can have. 400. */
export const knownTypes = (ctx: ReadContext, types: readonly string[]): void => void requireEventTypes(ctx, types);
