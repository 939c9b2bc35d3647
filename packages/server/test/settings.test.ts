import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readSettings, type Settings } from "../src/settings/settings.js";

const key = randomBytes(32).toString("base64");

function good(env: Record<string, string>): Settings {
  const settings = readSettings(env);
  if ("faults" in settings) throw new Error(settings.faults.join("; "));
  return settings;
}

function faults(env: Record<string, string>): string[] {
  const settings = readSettings(env);
  return "faults" in settings ? settings.faults : [];
}

describe("settings", () => {
  it("need nothing on a loopback address", () => {
    expect(good({})).toEqual({
      port: 4000,
      host: "127.0.0.1",
      loopback: true,
      adapter: "fastify",
      store: { kind: "sqlite", file: "./data/reeve.sqlite" },
      baseUrl: "http://127.0.0.1:4000",
      masterKey: undefined,
      registration: "open",
      providerAdmin: undefined,
      trustedIssuers: [],
      openid: [],
      mail: undefined,
      setPasswordUrl: undefined,
      rateLimit: true,
      egressAllow: [],
      dnsServers: [],
      sqlConsole: false,
      trustProxy: [],
      docs: "on",
      console: true,
      metrics: undefined,
      probePort: undefined,
      tickSeconds: 10,
      retention: {},
      startSeconds: 60,
      drainSeconds: 0,
      audit: { file: undefined, syslog: undefined, enterprise: 32_473, otlp: undefined, format: "cloudevents" },
      checkpoints: {},
      deliveryAlarmMinutes: 30,
      logLevel: "info",
      unknown: [],
    });
  });

  it("are read from the environment", () => {
    const env = {
      PORT: "8080",
      HOST: "10.0.0.7",
      REEVE_ADAPTER: "express",
      REEVE_STORE: "postgresql://app:pw@db.acme.example:5433/reeve",
      REEVE_BASE_URL: "https://reeve.acme.example/",
      REEVE_MASTER_KEY: key,
      REEVE_PROVIDER_ADMIN: "root@provider.example:quiet harbour: at four",
      REEVE_RATE_LIMIT: "off",
      REEVE_DNS_SERVERS: "192.0.2.53, 192.0.2.54:5353,[2001:db8::53]:53",
      REEVE_EGRESS_ALLOW: "mcp.corp.example:8080, 10.20.0.0/16,[fd00::1]:443",
      REEVE_SET_PASSWORD_URL: "https://app.acme.example/welcome",
      SMTP_URL: "smtps://app:pw@mail.acme.example",
      MAIL_FROM: "Reeve <reeve@acme.example>",
      REEVE_MIGRATE_URL: "postgres://owner:pw@db.acme.example:5433/reeve",
      REEVE_DIRECT_URL: "postgres://app:pw@db.acme.example:5432/reeve",
      REEVE_SCHEMA: "reeve_acme",
      REEVE_POOLER: "transaction",
      REEVE_POOL_SIZE: "20",
      REEVE_REPLICA_URL: "postgres://app:pw@replica.acme.example:5432/reeve",
      REEVE_REPLICA_SECONDS: "2",
      REEVE_TRUST_PROXY: "10.0.0.0/8, fd00::1",
      REEVE_DOCS: "openapi",
      REEVE_CONSOLE: "off",
      REEVE_METRICS: "[::1]:9464/metrics",
      REEVE_PROBE_PORT: "9465",
      REEVE_TICK_SECONDS: "60",
      REEVE_RETENTION_DAYS: "events=400, closedTenants=30, imports=none",
      REEVE_START_SECONDS: "5",
      REEVE_DRAIN_SECONDS: "10",
      LOG_LEVEL: "warn",
    };
    expect(good(env)).toMatchObject({
      port: 8080,
      host: "10.0.0.7",
      loopback: false,
      adapter: "express",
      store: {
        kind: "postgres",
        url: env.REEVE_STORE,
        schema: "reeve_acme",
        migrationUrl: env.REEVE_MIGRATE_URL,
        directUrl: env.REEVE_DIRECT_URL,
        pooler: "transaction",
        poolSize: 20,
        replicaUrl: env.REEVE_REPLICA_URL,
        maxReplicaStalenessMs: 2_000,
      },
      baseUrl: "https://reeve.acme.example",
      masterKey: key,
      registration: "verified_email",
      providerAdmin: { username: "root@provider.example", password: "quiet harbour: at four" },
      mail: { url: env.SMTP_URL, from: env.MAIL_FROM },
      setPasswordUrl: env.REEVE_SET_PASSWORD_URL,
      rateLimit: false,
      dnsServers: ["192.0.2.53", "192.0.2.54:5353", "[2001:db8::53]:53"],
      egressAllow: ["mcp.corp.example:8080", "10.20.0.0/16", "[fd00::1]:443"],
      trustProxy: ["10.0.0.0/8", "fd00::1"],
      docs: "openapi",
      console: false,
      metrics: { path: "/metrics", listen: { host: "::1", port: 9464 } },
      probePort: 9465,
      tickSeconds: 60,
      retention: { retentionDays: { closedTenants: 30, imports: null }, activityRetentionDays: 400 },
      startSeconds: 5,
      drainSeconds: 10,
      logLevel: "warn",
    });
  });

  it.each([
    ["localhost", "http://localhost:4000"],
    ["127.0.0.9", "http://127.0.0.9:4000"],
    ["::1", "http://[::1]:4000"],
  ])("take %s for a loopback address", (HOST, baseUrl) => {
    expect(good({ HOST })).toMatchObject({ loopback: true, registration: "open", baseUrl });
  });

  it.each(["0.0.0.0", "::", "192.168.1.4", "reeve.acme.example"])("need a master key on %s", (HOST) => {
    expect(faults({ HOST })).toEqual([expect.stringMatching(/^REEVE_MASTER_KEY is required/)]);
    expect(good({ HOST, REEVE_MASTER_KEY: key }).registration).toBe("verified_email");
  });

  it("that are empty count as absent, and names that are nearly right are pointed out", () => {
    expect(good({ PORT: "", REEVE_STORE: "", REEVE_ADAPTOR: "express" })).toMatchObject({
      port: 4000,
      unknown: ["REEVE_ADAPTOR"],
    });
  });

  it("O8 take a URL of several servers", () => {
    const url = "postgres://app:pw@one.acme.example:5432,[fd00::2]:5433,three/reeve?target_session_attrs=read-write";
    expect(good({ REEVE_STORE: url })).toMatchObject({ store: { kind: "postgres", url } });
  });

  it.each([
    "postgres://app@localhost/reeve?host=/var/run/postgresql",
    "postgres://app:pw@/reeve?host=%2Fcloudsql%2Facme:europe:one",
    "postgres:///reeve?host=/tmp",
  ])("take a URL of a Unix socket: %s", (url) => {
    expect(good({ REEVE_STORE: url })).toMatchObject({ store: { kind: "postgres", url } });
  });

  it("take several master keys, the first of which is in use", () => {
    const masterKey = { current: 2, keys: { 1: key, 2: key } };
    expect(good({ REEVE_MASTER_KEY: `2:${key}, 1:${key}` })).toMatchObject({ masterKey });
  });

  it.each([
    ["PORT", ["0", "65536", "-1", "4e3", "80.5", " 80", "http", "0x50", "123456"]],
    ["HOST", ["a b", "256.1.1.1", "http://x", "-x", "x/", "\n", ":::1"]],
    ["REEVE_ADAPTER", ["koa", "Fastify"]],
    [
      "REEVE_STORE",
      [
        "sqlite:",
        "sqlite::memory:",
        "sqlite:data/",
        "mysql://h/d",
        "postgres://",
        "postgres://h",
        "postgres://a,/d",
        "postgres:///d",
        "postgres:///d?host=",
        "postgres://a:x,b/d",
        "reeve.db",
      ],
    ],
    ["REEVE_BASE_URL", ["acme.example", "ftp://x", "https://u:p@x", "https://x/?a=1", "https://x/#a", "https://"]],
    [
      "REEVE_MASTER_KEY",
      [
        "hunter2",
        "A".repeat(44),
        `${"A".repeat(43)}=`,
        randomBytes(31).toString("base64"),
        randomBytes(33).toString("base64"),
        `1:${key},1:${key}`,
        `0:${key}`,
        `2:${key},`,
        `two:${key}`,
      ],
    ],
    ["REEVE_REGISTRATION", ["yes", "OPEN"]],
    [
      "REEVE_PROVIDER_ADMIN",
      ["root", "root:quiet harbour at four", "root@provider.example:short", ":", "root@provider.example:"],
    ],
    ["REEVE_RATE_LIMIT", ["1", "true"]],
    ["REEVE_EGRESS_ALLOW", ["http://a.example", "a.example,", "10.0.0.1/8", "0.0.0.0/0", "*.example", "127.1", "a b"]],
    ["REEVE_DNS_SERVERS", ["ns.acme.example", "192.0.2.53,", "192.0.2.53:0", "dns://192.0.2.53", "::1]:53"]],
    ["REEVE_SQL_CONSOLE", ["yes", "true", "postgres://support@db.acme.example/reeve"]],
    ["SMTP_URL", ["mail.acme.example", "http://mail.acme.example", "smtp://", "smtp:mail.acme.example:x"]],
    ["MAIL_FROM", ["reeve", "Reeve <reeve>", "a@b.example, c@d.example", "a@b.example\nBcc: c@d.example"]],
    ["REEVE_SET_PASSWORD_URL", ["/welcome", "https://acme.example/#x", "javascript:alert(1)"]],
    ["REEVE_MIGRATE_URL", ["postgres://owner@db.acme.example/reeve"]],
    ["REEVE_DIRECT_URL", ["postgres://app@db.acme.example/reeve"]],
    ["REEVE_POOL_SIZE", ["10"]],
    ["REEVE_REPLICA_URL", ["postgres://app@replica.acme.example/reeve"]],
    ["REEVE_REPLICA_SECONDS", ["5"]],
    ["REEVE_SCHEMA", ["reeve"]],
    ["REEVE_POOLER", ["session", "transaction"]],
    ["REEVE_TRUST_PROXY", ["true", "1", "10.0.0.0/33", "proxy.acme.example", "10.0.0.1,"]],
    ["REEVE_DOCS", ["yes", "page"]],
    ["REEVE_CONSOLE", ["yes", "page"]],
    ["REEVE_PROBE_PORT", ["0", "65536", ":9465", "on"]],
    ["REEVE_METRICS", ["on", "9464", ":9464", "/", ":0/metrics", "a b:9464/metrics", ":9464/metrics?x"]],
    [
      "REEVE_RETENTION_DAYS",
      ["30", "events", "events=0", "tenants=30", "closedTenants=6", "sessions=1,sessions=2", "sessions=36501", ","],
    ],
    ["REEVE_DELIVERY_ALARM_MINUTES", ["0", "10081", "1.5", "soon"]],
    ["REEVE_TIMESTAMP_URL", ["tsa.example", "ftp://tsa.example", "https://a:b@tsa.example", "https://tsa.example/#a"]],
    ["REEVE_CHECKPOINT_KEY", ["key", "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----"]],
    ["REEVE_CHECKPOINT_KEY_FILE", [fileURLToPath(import.meta.url)]],
    ["REEVE_AUDIT_ENTERPRISE", ["0", "4294967296", "acme"]],
    ["REEVE_TICK_SECONDS", ["0", "3601", "1.5", "-1", "1m"]],
    ["REEVE_START_SECONDS", ["3601", "1.5", "-1", "1m"]],
    ["REEVE_DRAIN_SECONDS", ["301", "1.5", "-1", "1m"]],
    ["LOG_LEVEL", ["loud", "INFO"]],
  ])("refuse a bad %s in one line that names it", (name, values) => {
    for (const value of values) {
      const found = faults({ [name]: value });
      expect(found, value).toEqual([expect.stringMatching(new RegExp(`^${name} must be [^\n]+$`))]);
    }
  });

  it("switch the SQL console on, on PostgreSQL by its own login", () => {
    expect(good({ REEVE_SQL_CONSOLE: "on" })).toMatchObject({ sqlConsole: true, store: { kind: "sqlite" } });
    expect(good({ REEVE_SQL_CONSOLE: "off" }).sqlConsole).toBe(false);
    const REEVE_STORE = "postgres://app@db.acme.example/reeve";
    const consoleUrl = "postgres://support@db.acme.example/reeve";
    const store = { kind: "postgres", url: REEVE_STORE, consoleUrl };
    expect(good({ REEVE_STORE, REEVE_SQL_CONSOLE: consoleUrl })).toMatchObject({ sqlConsole: true, store });
    expect(good({ REEVE_STORE, REEVE_SQL_CONSOLE: "off" }).sqlConsole).toBe(false);
    expect(faults({ REEVE_STORE, REEVE_SQL_CONSOLE: "on" })).toEqual([
      expect.stringMatching(/^REEVE_SQL_CONSOLE must/),
    ]);
  });

  it("take more about PostgreSQL with PostgreSQL alone", () => {
    const REEVE_STORE = "postgres://app@db.acme.example/reeve";
    for (const [name, value] of [
      ["REEVE_POOL_SIZE", "1"],
      ["REEVE_POOL_SIZE", "ten"],
      ["REEVE_SCHEMA", "pg_catalog"],
      ["REEVE_SCHEMA", "a.b"],
      ["REEVE_POOLER", "session"],
      ["REEVE_MIGRATE_URL", "sqlite:x"],
      ["REEVE_DIRECT_URL", "http://db.acme.example"],
      ["REEVE_REPLICA_URL", "sqlite:x"],
      ["REEVE_REPLICA_SECONDS", "0"],
    ] as const)
      expect(faults({ REEVE_STORE, [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} must be`))]);
  });

  it.each([
    ["/metrics", { path: "/metrics" }],
    [":9464/metrics", { path: "/metrics", listen: { host: undefined, port: 9464 } }],
    ["10.0.0.7:9464/m", { path: "/m", listen: { host: "10.0.0.7", port: 9464 } }],
  ])("show metrics at %s", (REEVE_METRICS, metrics) => expect(good({ REEVE_METRICS }).metrics).toEqual(metrics));

  it("need a sender for a mail server", () => {
    expect(faults({ SMTP_URL: "smtp://mail.acme.example" })).toEqual([expect.stringMatching(/^MAIL_FROM is required/)]);
  });

  it("never repeat a secret", () => {
    const text = faults({
      REEVE_STORE: "mysql://app:s3cr3t@db/x",
      REEVE_BASE_URL: "https://ada:s3cr3t@x",
      REEVE_MASTER_KEY: "s3cr3t",
      REEVE_PROVIDER_ADMIN: "root@provider.example:s3cr3t",
      SMTP_URL: "smpt://app:s3cr3t@mail.acme.example",
    });
    expect(text).toHaveLength(5);
    expect(text.join()).not.toContain("s3cr3t");
  });

  it("are all checked together", () => {
    expect(faults({ PORT: "x", HOST: "0.0.0.0", LOG_LEVEL: "x" })).toHaveLength(3);
  });
});
