import { asOwner, type Header, type HttpCase, httpCase } from "../case.js";

const ASSETS = "/api/v1/ai-assets";

const matches = [
  '"1"',
  '"2"',
  '"999"',
  "*",
  'W/"1"',
  "1",
  '""',
  "",
  '"1", "2"',
  '"1","3"',
  '"abc"',
  "'1'",
  '"1',
  '"-1"',
  `"${"9".repeat(400)}"`,
  "*, *",
  "\u00e9",
];

const keys: readonly (readonly [name: string, key: string])[] = [
  ["of one character", "a"],
  ["of 255 characters", "k".repeat(255)],
  ["of 256 characters", "k".repeat(256)],
  ["that is empty", ""],
  ["with a space", "two words"],
  ["above ASCII", "cl\u00e9"],
  ["of punctuation", "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~"],
];

const requestIds: readonly (readonly [name: string, id: string])[] = [
  ["a plain one", "trace-1.a_B"],
  ["64 characters", "r".repeat(64)],
];

const create = (key: string, body: object): readonly [object, readonly Header[]] => [body, [["Idempotency-Key", key]]];

export const headerCases: readonly HttpCase[] = [
  ...matches.map((value) =>
    httpCase(`If-Match: ${value.slice(0, 40)}`, (it) =>
      asOwner(it, "PATCH", `${ASSETS}/${it.assetId}/metadata`, { metadata: { at: value.length } }, [
        ["If-Match", value],
      ]),
    ),
  ),
  ...matches.map((value) =>
    httpCase(`If-None-Match: ${value.slice(0, 40)}`, (it) =>
      asOwner(it, "GET", `${ASSETS}/${it.assetId}`, undefined, [["If-None-Match", value]]),
    ),
  ),
  ...(["If-Match", "If-None-Match"] as const).map((name) =>
    httpCase(`${name}: sent twice`, (it) => [
      asOwner(it, "GET", `${ASSETS}/${it.assetId}`, undefined, [
        [name, '"1"'],
        [name, '"2"'],
      ]),
      asOwner(it, "PATCH", `${ASSETS}/${it.assetId}/metadata`, { metadata: {} }, [
        [name, '"1"'],
        [name, '"2"'],
      ]),
    ]),
  ),
  httpCase("If-None-Match: HEAD of the version one has", (it) => [
    asOwner(it, "PATCH", `${ASSETS}/${it.assetId}/metadata`, { metadata: { seen: true } }),
    asOwner(it, "HEAD", `${ASSETS}/${it.assetId}`, undefined, [["If-None-Match", "*"]]),
  ]),
  ...keys.map(([name, key]) =>
    httpCase(`Idempotency-Key: one ${name}, twice`, (it) => {
      const [body, headers] = create(key, { name: `with a key ${name}` });
      return [asOwner(it, "POST", ASSETS, body, headers), asOwner(it, "POST", ASSETS, body, headers)];
    }),
  ),
  httpCase("Idempotency-Key: sent twice in one request", (it) =>
    asOwner(it, "POST", ASSETS, {}, [
      ["Idempotency-Key", "a"],
      ["Idempotency-Key", "a"],
    ]),
  ),
  httpCase("Idempotency-Key: used again for another body", (it) => [
    asOwner(it, "POST", ASSETS, ...create("reused", { name: "the first" })),
    asOwner(it, "POST", ASSETS, ...create("reused", { name: "the second" })),
  ]),
  httpCase("Idempotency-Key: the same body written otherwise", (it) => [
    asOwner(it, "POST", ASSETS, ...create("rewritten", { name: "the same", provider: "p" })),
    asOwner(it, "POST", ASSETS, ...create("rewritten", { provider: "p", name: "the same" })),
  ]),
  httpCase("Idempotency-Key: used by two users", (it) => [
    asOwner(it, "POST", ASSETS, ...create("shared", { name: "the owner's" })),
    asOwner({ ...it, owner: it.member }, "POST", ASSETS, ...create("shared", { name: "the member's" })),
  ]),
  httpCase("Idempotency-Key: of a refused request", (it) => [
    asOwner(it, "POST", ASSETS, ...create("refused", { name: 1 })),
    asOwner(it, "POST", ASSETS, ...create("refused", { name: "now right" })),
  ]),
  httpCase("Idempotency-Key: of a PATCH", (it) => [
    asOwner(it, "PATCH", `${ASSETS}/${it.assetId}/metadata`, ...create("patched", { metadata: { once: 1 } })),
    asOwner(it, "PATCH", `${ASSETS}/${it.assetId}/metadata`, ...create("patched", { metadata: { once: 1 } })),
  ]),
  ...requestIds.map(([name, id]) =>
    httpCase(`X-Request-Id: ${name}`, (it) => asOwner(it, "GET", ASSETS, undefined, [["X-Request-Id", id]])),
  ),
  ...["", " ", "a b", "a".repeat(65), "<script>", "\u00e9", "a,b"].map((id) =>
    httpCase(`X-Request-Id: not one, ${JSON.stringify(id.slice(0, 12))}`, (it) =>
      asOwner(it, "GET", ASSETS, undefined, [["X-Request-Id", id]]),
    ),
  ),
  httpCase("X-Request-Id: sent twice", (it) =>
    asOwner(it, "GET", ASSETS, undefined, [
      ["X-Request-Id", "one"],
      ["X-Request-Id", "two"],
    ]),
  ),
  ...(
    [
      ["X-Forwarded-For", "203.0.113.9"],
      ["X-Forwarded-Host", "evil.example"],
      ["X-Forwarded-Prefix", "/evil"],
      ["Forwarded", "for=203.0.113.9;host=evil.example"],
      ["X-Original-URL", "/api/v1/users"],
      ["X-Rewrite-URL", "/api/v1/users"],
      ["X-Tenant-Id", "ten_x"],
      ["X-User-Id", "usr_x"],
      ["Origin", "https://evil.example"],
      ["Range", "bytes=0-10"],
      ["If-Modified-Since", "Mon, 05 Jan 2026 09:00:00 GMT"],
      ["__proto__", "x"],
      ["constructor", "x"],
    ] as const
  ).map((header) => httpCase(`${header[0]} changes nothing`, (it) => asOwner(it, "GET", ASSETS, undefined, [header]))),
];
