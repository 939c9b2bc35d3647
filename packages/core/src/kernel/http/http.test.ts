import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { readBytes } from "./http.js";

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
