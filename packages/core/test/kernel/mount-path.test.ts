import type { NeutralRequest } from "@reeve/core";
import { createPlane } from "@reeve/testkit";
import { expect, it } from "vitest";

async function warningsOf(baseUrl: string, ...mountPaths: NeutralRequest["mountPath"][]): Promise<string[]> {
  const warned: string[] = [];
  const quiet = () => undefined;
  const logger = { info: quiet, error: quiet, warn: (_fields: object, message: string) => void warned.push(message) };
  const { controlPlane } = createPlane({ baseUrl, logger });
  for (const mountPath of mountPaths) {
    const request = { method: "GET", target: "/api/v1/monitor/ping", headers: {}, body: async () => undefined };
    expect((await controlPlane.handle({ ...request, mountPath }))?.status).toBe(200);
  }
  await controlPlane.close();
  return warned;
}

const line = (named: string, mounted: string) => [
  `baseUrl: its path is ${named}, and Reeve is mounted at ${mounted}; let both agree, unless a proxy changes the path on the way`,
];

it.each([
  ["https://shop.example", ["/governance", "/governance", "/other"], line("/", "/governance")],
  ["https://shop.example/governance", ["/governance", ""], line("/governance", "/")],
  ["https://shop.example/governance", ["/governance", "/Governance", undefined], []],
  ["https://shop.example", ["", undefined], []],
])("of %s and mounts at %j, what disagrees is told once", async (baseUrl, mountPaths, expected) => {
  expect(await warningsOf(baseUrl, ...mountPaths)).toEqual(expected);
});
