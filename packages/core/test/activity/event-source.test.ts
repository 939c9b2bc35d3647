import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { reeve as onExpress } from "@reeve/adapter-express";
import { reeve as onFastify } from "@reeve/adapter-fastify";
import type { ControlPlane } from "@reeve/core";
import { createWorld } from "@reeve/testkit";
import { EventSource } from "eventsource";
import express from "express";
import fastify from "fastify";
import { expect, it, onTestFinished, vi } from "vitest";

async function onFastifyListener(controlPlane: ControlPlane): Promise<RequestListener> {
  const app = fastify();
  await app.register(onFastify, { controlPlane });
  await app.ready();
  return app.routing as RequestListener;
}

const LISTENERS = {
  express: (controlPlane: ControlPlane) => express().use(onExpress(controlPlane)) as RequestListener,
  fastify: onFastifyListener,
};

/** A source, what it heard, and the address of the server it asks. */
async function listening(adapter: keyof typeof LISTENERS, query: string) {
  const world = await createWorld({ rateLimits: "off" });
  const server = createServer(await LISTENERS[adapter](world.controlPlane));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/ai/activity-stream?${query}`;
  const asked: (string | null)[] = [];
  const source = new EventSource(url, {
    fetch: (input, init) => {
      const headers = new Headers(init.headers);
      asked.push(headers.get("last-event-id"));
      headers.set("authorization", `Bearer ${world.a.owner.token}`);
      return fetch(input, { ...init, headers });
    },
  });
  onTestFinished(async () => {
    source.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { world, server, source, asked };
}

it("EventSource goes on where it was when no event was for it", async () => {
  const { world, source, asked } = await listening("express", "wait=25&type=asset.updated");
  const heard: string[] = [];
  source.onmessage = ({ data }) => heard.push(JSON.parse(data).subject);
  await vi.waitFor(() => expect(asked.length).toBeGreaterThanOrEqual(2));
  const id = await world.a.newAsset({ name: "Not heard of" });
  const change = { token: world.a.owner.token, body: { description: "changed" } };
  expect((await world.send("PUT", `/api/v1/ai-assets/${id}`, change)).status).toBe(200);
  await vi.waitFor(() => expect(heard).toEqual([id]));
  const positions = asked.map(Number);
  expect(asked[0]).toBeNull();
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
});

it.each(["express", "fastify"] as const)(
  "EventSource hears each event once, in order, through %s and over broken connections",
  async (adapter) => {
    const { world, server, source } = await listening(adapter, "after=0&wait=25");
    const heard: number[] = [];
    source.onmessage = ({ data }) => heard.push(Number(JSON.parse(data).sequence));
    const has = (count: number) => vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(count));
    await has(1);
    for (let round = 0; round < 3; round += 1) {
      await world.a.newAsset({ name: `Asset ${round}` });
      server.closeAllConnections();
    }
    const { json } = await world.send("GET", "/api/v1/ai/activity?size=1", { token: world.a.owner.token });
    const newest = Number(json.items[0].sequence);
    await has(newest);
    expect(heard).toEqual(Array.from({ length: newest }, (_, index) => index + 1));
  },
);
