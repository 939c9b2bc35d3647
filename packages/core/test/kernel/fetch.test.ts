import { createPlane, createScene } from "@reeve/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { mountOf } from "#mount/fetch.js";

const ORIGIN = "https://host.example";
const ASSETS = "/api/v1/ai-assets";

let plane: ReturnType<typeof createPlane>;
let token: string;

beforeAll(async () => {
  plane = createPlane();
  token = (await createScene(plane, "fetch")).owner.token;
});

function request(method: string, path: string, body?: BodyOf): Request {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return new Request(ORIGIN + path, { method, headers, ...(body ? { body, duplex: "half" } : {}) } as RequestInit);
}

// biome-ignore lint/suspicious/noExplicitAny: the tests look at members by name
const jsonOf = (response: Response | undefined): Promise<any> => response?.json() as Promise<any>;

type BodyOf = string | ReadableStream<Uint8Array>;

describe("fetch", () => {
  it("answers a Request of the web standard with a Response", async () => {
    const made = await plane.controlPlane.fetch(request("POST", ASSETS, '{"name":"café 😀"}'));
    expect(made?.status).toBe(201);
    const asset = await jsonOf(made);
    expect(asset.name).toBe("café 😀");
    const read = await plane.controlPlane.fetch(request("GET", `${ASSETS}/${asset.id}?x=1#part`));
    expect((await jsonOf(read)).errors).toEqual([expect.objectContaining({ parameter: "x" })]);
    const fresh = await plane.controlPlane.fetch(request("GET", `${ASSETS}/${asset.id}#part`));
    expect([fresh?.status, (await jsonOf(fresh)).id]).toEqual([200, asset.id]);
  });

  it("gives answers without a body as such", async () => {
    const made = await plane.controlPlane.fetch(request("POST", ASSETS, "{}"));
    const { id } = await jsonOf(made);
    const head = await plane.controlPlane.fetch(request("HEAD", `${ASSETS}/${id}`));
    expect([head?.status, await head?.text()]).toEqual([200, ""]);
    const gone = await plane.controlPlane.fetch(request("DELETE", `${ASSETS}/${id}`));
    expect([gone?.status, gone?.body]).toEqual([204, null]);
  });

  it("leaves to the host what is no operation, unless it is mounted exclusively", async () => {
    expect(await plane.controlPlane.fetch(request("GET", "/api/v1/orders"))).toBeUndefined();
    const exclusive = await plane.controlPlane.fetch(request("GET", "/api/v1/orders"), { exclusive: true });
    expect((await jsonOf(exclusive)).code).toBe("route_not_found");
    expect(await plane.controlPlane.fetch(request("GET", "/orders"), { exclusive: true })).toBeUndefined();
  });

  it("stands under a prefix", async () => {
    const made = await plane.controlPlane.fetch(request("POST", `/gov${ASSETS}`, "{}"), { prefix: "/gov" });
    expect(made?.headers.get("location")).toMatch(/^\/gov\/api\/v1\/ai-assets\//);
    expect(await plane.controlPlane.fetch(request("GET", ASSETS), { prefix: "/gov" })).toBeUndefined();
  });

  it("stops reading a body that is too long, and refuses one that was read before", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(0x20));
      },
    });
    const large = await plane.controlPlane.fetch(request("POST", ASSETS, endless));
    expect([large?.status, (await jsonOf(large)).code]).toEqual([413, "payload_too_large"]);
    expect(sent).toBeLessThan(4 * 1024 * 1024);

    const long = request("POST", ASSETS, JSON.stringify({ name: "x".repeat(300_000) }));
    const cloned = await plane.controlPlane.fetch(long.clone());
    expect(cloned?.status, "of a clone whose original nobody reads").toBe(413);

    const used = request("POST", ASSETS, "{}");
    await used.text();
    expect((await plane.controlPlane.fetch(used))?.status).toBe(500);
  });
});

it("makes the mount of a prefix once, and refuses a wrong one each time", () => {
  expect(mountOf("/governance")).toBe(mountOf("/governance"));
  expect(mountOf()).toBe(mountOf(""));
  expect([mountOf("/governance").path, mountOf().path]).toEqual(["/governance", ""]);
  for (let times = 0; times < 2; times++) expect(() => mountOf("governance")).toThrow(TypeError);
});
