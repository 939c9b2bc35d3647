import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { authorizationOf, DUPLICATE, listHeader, type NeutralRequest, readBytes, singleHeader } from "./http.js";

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

describe("reading a body", () => {
  it("joins what arrives in parts, up to the limit and no further", async () => {
    const stream = new PassThrough();
    const read = readBytes(stream, 6);
    for (const part of ["one", "two"]) stream.write(part);
    stream.end();
    expect(text(await read)).toBe("onetwo");
    const long = new PassThrough();
    const refused = readBytes(long, 5);
    long.end("onetwo");
    expect(await refused).toBeUndefined();
  });

  it("is empty for a stream that brings nothing, or was read already", async () => {
    const stream = new PassThrough();
    stream.end();
    expect(text(await readBytes(stream, 5))).toBe("");
    expect(text(await readBytes(stream, 5))).toBe("");
  });

  it("gives up on an endless one, and leaves it open for the answer", async () => {
    const stream = new PassThrough();
    const read = readBytes(stream, 10);
    const fill = () => {
      while (!stream.isPaused() && stream.write(Buffer.alloc(65_536)));
      if (!stream.isPaused()) stream.once("drain", fill);
    };
    fill();
    expect(await read).toBeUndefined();
    expect(stream.destroyed).toBe(false);
    expect(stream.listenerCount("data")).toBe(0);
  });

  it.each([
    ["breaks off on the way", (stream: PassThrough) => stream.destroy(new Error("reset")), 1],
    ["is closed without an end", (stream: PassThrough) => stream.destroy(), 1],
    ["was gone before", (stream: PassThrough) => stream.destroy(), 0],
  ])("refuses a stream that %s", async (_how, destroy, parts) => {
    const stream = new PassThrough();
    stream.on("error", () => undefined);
    if (parts === 0) destroy(stream);
    const read = readBytes(stream, 100);
    if (parts > 0) {
      stream.write("half of");
      setImmediate(() => destroy(stream));
    }
    await expect(read).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("a header", () => {
  const sent = (headers: NeutralRequest["headers"]) => ({ headers }) as NeutralRequest;

  it("that was sent more than once is told apart from every text", () => {
    expect(singleHeader(sent({ "idempotency-key": ["a", "b"] }), "idempotency-key")).toBe(DUPLICATE);
    expect(singleHeader(sent({ "idempotency-key": "duplicate" }), "idempotency-key")).toBe("duplicate");
    expect(singleHeader(sent({ "idempotency-key": ["a"] }), "idempotency-key")).toBe("a");
    expect(singleHeader(sent({ "idempotency-key": [] }), "idempotency-key")).toBeUndefined();
  });

  it("that is a list is one list, however often it was sent", () => {
    expect(listHeader(sent({ "if-match": ['"1"', '"2"'] }), "if-match")).toBe('"1","2"');
    expect(listHeader(sent({}), "if-match")).toBeUndefined();
  });

  it("of credentials is sent once", () => {
    expect(authorizationOf(sent({ authorization: "Bearer a" }))).toBe("Bearer a");
    expect(() => authorizationOf(sent({ authorization: ["Bearer a", "Bearer b"] }))).toThrow("sent more than once");
  });
});
