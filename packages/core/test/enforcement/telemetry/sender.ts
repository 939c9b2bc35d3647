import { newInstallation, type Scene, type Sending } from "@reeve/testkit";
import { expect } from "vitest";
import type { Recording } from "./recordings.js";

export const PROTOBUF = { "content-type": "application/x-protobuf" };

/** An installation that sends, and what its tenant's owner sees of it. */
export async function sender(scene: Scene, client = "claude-code", of: object = {}) {
  const { id, credential, agentId, installation } = await newInstallation(scene, client, of);
  const post = (signal: string, sending: Sending) =>
    scene.send("POST", `/api/v1/otlp/v1/${signal}`, { token: credential, ...sending });
  const read = async (path: string) => {
    const { status, json, text } = await scene.send("GET", `/api/v1${path}`, { token: scene.owner.token });
    expect(status, text).toBe(200);
    return json;
  };
  return {
    ...{ id, agentId, credential, installation, post, read },
    async send({ exports }: Pick<Recording, "exports">) {
      for (const { path, body, base64 } of exports) {
        const sending = body ? { body } : { bytes: Buffer.from(base64 ?? "", "base64"), headers: PROTOBUF };
        const { status, text } = await post(path.replace("/v1/", ""), sending);
        expect(status, text).toBe(200);
      }
    },
    usage: (groupBy = "model") => read(`/ai/usage?groupBy=${groupBy}&installationId=${id}`),
    /** What it has sent today. */
    today: async () => (await read(`/ai/telemetry?installationId=${id}`)).items[0],
  };
}

/** A span of a call of a model, as the conventions have it. */
export function span(number: number, attributes: Record<string, unknown> = {}, more: object = {}) {
  const all = { "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", ...attributes };
  const value = (one: unknown) => (typeof one === "number" ? { intValue: one } : { stringValue: one });
  return {
    ...{ traceId: "a".repeat(32), spanId: number.toString(16).padStart(16, "0"), name: "chat" },
    ...{ startTimeUnixNano: "1000000000", endTimeUnixNano: "1500000000", ...more },
    attributes: Object.entries(all).map(([key, one]) => ({ key, value: value(one) })),
  };
}

export const ofSpans = (...spans: readonly object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
