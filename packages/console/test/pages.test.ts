import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { type ConsolePages, type ControlPlane, createControlPlane, createMemoryStore } from "@reeve/core";
import { beforeAll, describe, expect, it } from "vitest";
import { firstFiles } from "../build-app.js";
import { consolePages } from "../src/index.js";
import { builtConsole, consoleOption } from "./built-console.js";

const planeWith = (console: false | ConsolePages): ControlPlane =>
  createControlPlane({
    store: createMemoryStore(),
    masterKey: randomBytes(32),
    baseUrl: "https://reeve.example",
    console,
  });

const ask = async (plane: ControlPlane, target: string, method = "GET") => {
  const answer = await plane.handle({ method, target, headers: {}, body: async () => undefined });
  const text = answer?.body === undefined ? "" : Buffer.from(answer.body).toString();
  return { status: answer?.status, headers: answer?.headers ?? {}, text };
};

describe("the console", () => {
  let plane: ControlPlane;
  beforeAll(async () => {
    plane = planeWith(await consoleOption());
  });

  it.each([
    ["/console", "/console/"],
    ["/console?whose=all", "/console/"],
    ["/console/", "/console/"],
    ["/console/inbox", "/console/"],
    ["/console/inbox/", "/console/"],
    ["/console/estate/ast_1/findings", "/console/"],
    ["/console/compliance/x", "/console/"],
    ["/console/assetsx", "/console/"],
  ])("is shown at %s, and finds its files from %s", async (target, base) => {
    const { status, headers, text } = await ask(plane, target);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    const [, href = ""] = /<base href="([^"]*)">/.exec(text) ?? [];
    for (const prefix of ["", "/deep/prefix"])
      expect(new URL(href, `https://host.example${prefix}${target}`).pathname).toBe(`${prefix}${base}`);
  });

  it("gives its files compressed to whoever takes that, and only to them", async () => {
    const { text } = await ask(plane, "/console");
    const [, style = ""] = /href="(assets[^"]*css)"/.exec(text) ?? [];
    const target = `/console/${style}`;
    const plain = await ask(plane, target);
    expect(plain.headers).toMatchObject({ vary: "Accept-Encoding" });
    expect(plain.headers).not.toHaveProperty("content-encoding");
    for (const [accepted, isTaken] of [
      ["gzip, deflate, br", true],
      ["br;q=1.0, gzip;q=0.5", true],
      ["gzip;q=0, identity", false],
      ["br", false],
    ] as const) {
      const answer = await plane.handle({
        method: "GET",
        target,
        headers: { "accept-encoding": accepted },
        body: async () => undefined,
      });
      expect(answer?.headers["content-encoding"], accepted).toBe(isTaken ? "gzip" : undefined);
      const body = Buffer.from(answer?.body ?? "");
      expect((isTaken ? gunzipSync(body) : body).toString()).toBe(plain.text);
    }
  });

  it("refers to nothing but files of its own, whose names say what they hold", async () => {
    const { text } = await ask(plane, "/console");
    const links = [...text.matchAll(/(?:src|href)="(assets[^"]*)"/g)].map(([, link]) => link as string);
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      expect(link).toMatch(/^assets\/[\w-]+-[A-Z0-9]{8}\.(?:js|css)$/);
      const { status, headers } = await ask(plane, `/console/${link}`);
      expect([status, headers["cache-control"]]).toEqual([200, "public, max-age=31536000, immutable"]);
    }
  });

  it("has no inline script and no inline style, and its policy takes none", async () => {
    const { headers, text } = await ask(plane, "/console");
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:/i);
    expect(headers).toMatchObject({
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
  });

  it.each(["/console/assets/main.js", "/console/assets/index.html", "/console/assets/__proto__"])(
    "has no file %s",
    async (target) => {
      const { status, text } = await ask(plane, target);
      expect([status, JSON.parse(text).code]).toEqual([404, "not_found"]);
    },
  );

  it("is no place to write", async () => {
    expect((await ask(plane, "/console/inbox", "POST")).status).not.toBe(200);
  });

  it("is not there when it is off", async () => {
    const off = planeWith(false);
    for (const target of ["/console", "/console/inbox", "/console/config.json"])
      expect(await off.handle({ method: "GET", target, headers: {}, body: async () => undefined })).toBeUndefined();
  });
});

describe("a host that makes the console its own", () => {
  it("gives name, logo, accent, links and areas", async () => {
    const logo = { contentType: "image/svg+xml", body: new TextEncoder().encode("<svg/>") };
    const links = [{ label: "Wiki", href: "https://wiki.acme.example" }];
    const plane = planeWith(await consoleOption({ name: "Acme AI", logo, accent: "#0a5cff", links, areas: ["inbox"] }));
    const config = JSON.parse((await ask(plane, "/console/config.json")).text);
    expect(config).toMatchObject({ name: "Acme AI", accent: "#0a5cff", links, areas: ["inbox"] });
    const { status, headers, text } = await ask(plane, `/console/assets/${config.logo}`);
    expect([status, headers["content-type"], text]).toEqual([200, "image/svg+xml", "<svg/>"]);
  });

  it.each([
    [{ accent: "red" }, /accent must be/],
    [{ links: [{ label: "x", href: "javascript:alert(1)" }] }, /links must have/],
    [{ logo: { contentType: "text/html", body: new Uint8Array() } }, /logo must be/],
    [{ name: "" }, /name must be/],
  ])("is refused with %j", async (options, fault) => {
    await expect(consoleOption(options)).rejects.toThrow(fault);
  });
});

describe("the size of the console", () => {
  /** Bytes of script and style, compressed, before the first useful view. */
  const MOST = 180 * 1_024;

  it("leaves the first view within its budget", async () => {
    const { folder, metafile } = await builtConsole();
    const entry = firstFiles(metafile).map((file) => join(folder, "assets", basename(file)));
    const inbox = Object.entries(metafile.outputs)
      .filter(([, { entryPoint }]) => /app\/(?:shell\/shell|areas\/inbox\/inbox-page)\.tsx$/.test(entryPoint ?? ""))
      .flatMap(([file, { imports }]) => [
        file,
        ...imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => path),
      ])
      .map((file) => join(folder, "assets", basename(file)));
    const files = new Set([...entry, ...inbox]);
    const sizes = await Promise.all([...files].map(async (file) => gzipSync(await readFile(file)).length));
    const all = sizes.reduce((sum, size) => sum + size, 0);
    expect(inbox.length).toBeGreaterThan(2);
    expect(all, `${Math.ceil(all / 1_024)} KB in ${files.size} files`).toBeLessThan(MOST);
  });

  it("is read by consolePages() from a build", () => {
    expect(statSync(new URL("../dist/app/index.html", import.meta.url)).isFile()).toBe(true);
    expect(consolePages().page("x/")).toContain('<base href="x/">');
  });
});
