import { type NewApp, type Scene, soapAnswer } from "@reeve/testkit";
import { type Egress, type EgressRequest, ReeveError } from "../../src/index.js";

const attribute = (xml: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(xml)?.[1] ?? "";
const text = (xml: string, name: string) => new RegExp(`<${name}[^>]*>([^<]*)<`).exec(xml)?.[1] ?? "";

/** A logout as a service provider was told of it, from server to server. */
export interface Reported {
  readonly url: string;
  readonly id: string;
  readonly destination: string;
  readonly nameId: string;
  readonly sessionIndex: string;
  readonly body: string;
}

type Answering = (notified: Reported) => Promise<{ readonly status?: number; readonly body: string } | "unreachable">;

/** Service providers that are told of logouts, in place of the network. They answer as `answer` says. */
export class SoapProvider implements Egress {
  readonly notified: Reported[] = [];
  answer: Answering = async () => "unreachable";

  /** Answers that the session is over. */
  confirms(scene: Scene, app: Pick<NewApp, "entityId">, more: Parameters<typeof soapAnswer>[3] = {}): void {
    this.answer = async ({ id }) => ({ body: await soapAnswer(scene, app, id, more) });
  }

  async request({ url, body = "" }: EgressRequest) {
    const xml = String(body);
    const notified = {
      url,
      id: attribute(xml, " ID"),
      destination: attribute(xml, "Destination"),
      nameId: text(xml, "saml:NameID"),
      sessionIndex: text(xml, "samlp:SessionIndex"),
      body: xml,
    };
    this.notified.push(notified);
    const answer = await this.answer(notified);
    if (answer === "unreachable") throw new ReeveError("connector_error");
    return { status: answer.status ?? 200, headers: {}, body: new TextEncoder().encode(answer.body) };
  }
}
