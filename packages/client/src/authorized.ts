import { unlessAborted } from "./abort.js";
import type { Send } from "./send.js";
import type { Session } from "./session.js";

/** Sends each request with the session's token, and once more with the next one where the service refuses that. */
export function withToken(send: Send, session: Session): Send {
  return async (request) => {
    // A header of the call's own says who asks.
    if (request.headers.has("authorization")) return send(request);
    const token = await unlessAborted(session.token(), request.signal);
    const answer = await send(bearing(request.clone(), token));
    if (answer.status !== 401 || token === undefined) return answer;
    const next = await unlessAborted(session.renewed(token), request.signal);
    if (next === undefined || next === token) return answer;
    await answer.body?.cancel();
    return send(bearing(request, next));
  };
}

function bearing(request: Request, token: string | undefined): Request {
  if (token !== undefined) request.headers.set("authorization", `Bearer ${token}`);
  return request;
}
