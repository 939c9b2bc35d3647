import { moveLifecycle } from "../assets/moves.js";
import type { StatusMirror } from "./kind.js";

/** `status` of records that show the lifecycle of their asset. */
export const lifecycleMirror: StatusMirror = {
  of: ({ status }) => status,
  async move(ctx, asset, status, reason) {
    await moveLifecycle(ctx, asset, status, reason);
  },
};
