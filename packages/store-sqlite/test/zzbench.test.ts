import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { defineCollection, sha256, linkHash } from "@reeve/core";
import Database from "better-sqlite3";
import { it } from "vitest";
import { collectionMigration, createSqliteStore } from "../src/index.js";
const N = Number(process.env.N ?? 10000);
const T = { type: "text" } as const;
export const assets = defineCollection<any>({ name: "bench_assets", prefix: "ast", schema: null as any, fields: { status: T, governanceState: T, assetType: T, provider: T, environment: T, externalId: T, expiresAt: { type: "time" } }, unique: { identity: ["assetType", "provider", "externalId", "environment"] },
  indexes: [["assetType"],["provider"],["environment"],["assetType","provider"],["assetType","environment"],["provider","environment"],["assetType","provider","environment"]].map((where) => ({ where })).concat([{ where: [], by: "expiresAt" } as any]), counted: ["status", "governanceState", "assetType", "provider", "environment"], search: (a) => a.name + "\n" + a.description });
const migrations = [collectionMigration(1000, "bench", [assets])];
const types = ["agent","model","tool","mcp_server"], provs=["openai","anthropic","local"], envs=["production","staging","development"];
const mk = (i: number): any => ({ id: `ast_${String(i).padStart(26, "0")}`, version: 1, createdAt: new Date(1.7e12 + i * 1000).toISOString(), name: `Asset ${i} ${sha256(String(i)).slice(0, 12)}`, status: "draft", governanceState: "pending", assetType: types[i % 4], provider: provs[i % 3], environment: envs[i%3], externalId: "x"+i, expiresAt: null, description: "An agent that does things for the support team and more " + i, metadata: { owner: "team-" + (i % 50), costCentre: "cc" + i }, configuration: { a: 1, b: [1,2,3], c: "text" }, tags: ["a","b"], updatedAt: "2026-01-01T00:00:00.000Z", createdBy: "usr_1", updatedBy: "usr_1" });
const ev = (i: number): any => { const attributes = JSON.stringify({ id: "evt_" + i, type: "x.created", subject: "ast_" + i, source: "/api/v1/x", actor: { kind: "user", id: "usr_1" }, datahash: sha256("x" + i) }); return { id: "evt_" + String(i).padStart(26, "0"), time: "2026-01-01T00:00:00.000Z", attributes, data: JSON.stringify({ name: "n" + i, status: "draft" }), recordHash: sha256(attributes), streams: ["ast_" + i] }; };
const med = (a: number[]) => a.sort((x, y) => x - y)[a.length >> 1]!;
it("bench", async () => {
  const dir = mkdtempSync("/tmp/bench-"); const file = join(dir, "b.db");
  const store = createSqliteStore({ file, migrations }); await store.migrate(); const t = store.forTenant("ten_1");
  for (let i = 0; i < N; i += 1000) await t.insertMany(assets, Array.from({ length: 1000 }, (_, k) => mk(i + k)));
  const raw = new Database(file); raw.pragma("synchronous=FULL"); raw.pragma("cache_size=-32768"); raw.pragma("wal_autocheckpoint=10000"); raw.pragma("temp_store=2");
  const get = raw.prepare("select id, version, body, stale_at from bench_assets where tenant_id = ? and id = ? and removed_at is null");
  const list = raw.prepare("select id, version, body, stale_at, created_at from bench_assets where tenant_id = ? and removed_at is null order by created_at desc, id desc limit 26");
  const cnt = raw.prepare("select n from counters where tenant_id=? and collection=? and field=? and value=?");
  const rate = async (n: number, f: (i: number) => unknown) => { const t0 = process.hrtime.bigint(); for (let i = 0; i < n; i++) await f(i); return n / (Number(process.hrtime.bigint() - t0) / 1e9); };
  const rateS = (n: number, f: (i: number) => unknown) => { const t0 = process.hrtime.bigint(); for (let i = 0; i < n; i++) f(i); return n / (Number(process.hrtime.bigint() - t0) / 1e9); };
  const id = (i: number) => `ast_${String((i * 7919) % N).padStart(26, "0")}`;
  const ids = Array.from({ length: 20000 }, (_, i) => id(i));
  const out: Record<string, number[][]> = { get: [[], []], list: [[], []], filt: [[], []], create: [[], []] };
  const filt = raw.prepare("select id, version, body, stale_at, created_at from bench_assets where tenant_id = ? and asset_type = ? and removed_at is null order by created_at desc, id desc limit 26");
  let seq = N + 1;
  const ins = raw.prepare("insert into bench_assets (tenant_id,id,version,created_at,stale_at,search_text,status,governance_state,asset_type,provider,environment,external_id,expires_at,body) values (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  const pend = raw.prepare("insert into search_pending values (?,?,?)"); const head = raw.prepare("select seq, hash from chain_heads where tenant_id=?"); const sethead = raw.prepare("insert into chain_heads values (?,?,?) on conflict do update set seq=excluded.seq, hash=excluded.hash");
  const evi = raw.prepare("insert into events values (?,?,?,?,?,?,?,?,?)"); const st = raw.prepare("insert into event_streams values (?,?,?)"); const cu = raw.prepare("insert into counters values (?,?,?,?,1) on conflict do update set n=n+1");
  const bareCreate = (i: number) => { const a = mk(i), e = ev(i); raw.exec("begin immediate"); const body = JSON.stringify(a);
    const r = ins.run("ten_1", a.id, 1, a.createdAt, null, (a.name + "\n" + a.description).normalize("NFKC").toLowerCase(), a.status, a.governanceState, a.assetType, a.provider, a.environment, a.externalId, null, body); pend.run("bench_assets", "ten_1", r.lastInsertRowid);
    const h = head.get("ten_1") as any; const s = (h?.seq ?? 0) + 1, p = h?.hash ?? "0".repeat(64), l = linkHash(p, s, e.recordHash); evi.run("ten_1", s, e.id, e.time, e.attributes, e.data, p, l, e.recordHash); st.run("ten_1", e.streams[0], s); sethead.run("ten_1", s, l);
    cu.run("ten_1", "bench_assets", "", ""); for (const f of assets.counted) cu.run("ten_1", "bench_assets", f, String(a[f])); raw.exec("commit"); };
  const ourCreate = (i: number) => { const a = mk(i), e = ev(i); return store.transaction("ten_1", async (tx) => { await tx.insert(assets, a); await tx.append(e); }); };
  for (let r = 0; r < 7; r++) {
    out.get![0]!.push(rateS(20000, (i) => get.get("ten_1", ids[i]))); out.get![1]!.push(await rate(20000, (i) => t.get(assets, ids[i]!)));
    out.list![0]!.push(rateS(1500, () => { const rows = list.all("ten_1") as any[]; let s = "["; for (let k = 0; k < 25; k++) s += (k ? "," : "") + rows[k].body; cnt.get("ten_1", "bench_assets", "", ""); return s + "]"; })); out.list![1]!.push(await rate(1500, () => t.list(assets, { size: 25 })));
    out.filt![0]!.push(rateS(1500, () => { const rows = filt.all("ten_1", "agent") as any[]; let s = "["; for (let k = 0; k < 25; k++) s += (k ? "," : "") + rows[k].body; cnt.get("ten_1", "bench_assets", "assetType", "agent"); return s + "]"; })); out.filt![1]!.push(await rate(1500, () => t.list(assets, { size: 25, where: { assetType: "agent" } })));
    if (r % 2) { out.create![0]!.push(rateS(400, () => bareCreate(seq++))); out.create![1]!.push(await rate(400, () => ourCreate(seq++))); }
    else { out.create![1]!.push(await rate(400, () => ourCreate(seq++))); out.create![0]!.push(rateS(400, () => bareCreate(seq++))); }
  }
  for (const [k, [a, b]] of Object.entries(out)) process.stdout.write(`${k}: bare ${med(a!).toFixed(0)}/s ours ${med(b!).toFixed(0)}/s ratio ${med(b!.map((x, i) => x / a![i]!)).toFixed(2)}\n`);
  const p = async (name: string, f: () => Promise<unknown>) => { const ts: number[] = []; for (let i = 0; i < 30; i++) { const t0 = performance.now(); await f(); ts.push(performance.now() - t0); } process.stdout.write(`${name}: p50 ${med(ts).toFixed(2)}ms max ${Math.max(...ts).toFixed(1)}ms\n`); };
  if (process.env.SEARCH) {
    const t0 = Date.now();
    for (;;) { const n = (raw.prepare("select count(*) c from search_pending").get() as any).c; if (n === 0) break; if (Date.now() - t0 > 400000) { process.stdout.write(`pending ${n}\n`); break; } await new Promise((r) => setTimeout(r, 500)); }
    process.stdout.write(`indexed in ${(Date.now() - t0) / 1000}s\n`);
    await p("search rare", () => t.list(assets, { size: 25, search: sha256(String(Math.floor(N / 2))).slice(0, 12) }));
    await p("search common", () => t.list(assets, { size: 25, search: "support team" }));
    await p("search mid", () => t.list(assets, { size: 25, search: "asset 77" }));
    await p("search common in filter", () => t.list(assets, { size: 25, search: "support", where: { assetType: "agent" } }));
    await p("search none", () => t.list(assets, { size: 25, search: "zqzqzq" }));
    await p("search short", () => t.list(assets, { size: 25, search: "zz" }));
  }
  raw.close(); await store.close();
}, 1200000);
