import { randomBytes } from "node:crypto";
import { createPostgresStore } from "@reeve/store-postgres";
import { runSql } from "@reeve/testkit/postgres";
import pg from "pg";
import { clusterUrl } from "./address.js";

/** Each copy of a database has the tables and indexes of every shard. */
const SHARDS = 4;

let distributed: Promise<string> | undefined;

/**
 * A distributed database without rows, to copy. It takes minutes, so a worker makes one. `noted` hears of its name, as it
 * is there until somebody drops it.
 */
export function distributedOriginal(noted: (name: string) => void): Promise<string> {
  distributed ??= makeDistributed(noted);
  return distributed;
}

async function makeDistributed(noted: (name: string) => void): Promise<string> {
  const { name, url } = await createOnNodes();
  noted(name);
  const nodes = await nodesOf();
  for (const node of nodes) await runSql(at(node, name), "CREATE EXTENSION citus");
  for (const { group, hostname, port } of nodes) {
    const made = group === 0 ? "citus_set_coordinator_host" : "citus_add_node";
    await runSql(url, `SELECT ${made}(${pg.escapeLiteral(hostname)}, ${port})`);
  }
  await runSql(url, `ALTER DATABASE ${name} SET citus.shard_count = ${SHARDS}`);
  const store = createPostgresStore({ url });
  await store.migrate();
  await store.cluster.distribute();
  await store.close();
  await closeForCopies(name);
  return name;
}

/** Copies a database that is closed, on each node. Where the rows of its tables lie is in the database itself. */
export async function copyOnNodes(template: string) {
  const { name, url } = await createOnNodes(template);
  return { name, url, drop: () => dropOnNodes(name) };
}

/** Lets nobody connect to a database, whose copies need it unused. Citus itself is connected to each. */
export async function closeForCopies(name: string): Promise<void> {
  for (const node of await nodesOf()) {
    await runSql(node.url, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await runSql(node.url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
  }
}

/** Drops a database. */
export async function dropOnNodes(name: string): Promise<void> {
  for (const node of await nodesOf()) await runSql(node.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function createOnNodes(template = "template0"): Promise<{ readonly name: string; readonly url: string }> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const nodes = await nodesOf();
  const copying = `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`;
  await Promise.all(nodes.map((node) => runSql(node.url, copying)));
  return { name, url: at(nodes[0] as Node, name) };
}

interface Node {
  readonly group: number;
  readonly hostname: string;
  readonly port: number;
  /** Its URL for the user of the coordinator's. */
  readonly url: string;
}

let nodes: Promise<readonly Node[]> | undefined;

/** The nodes of the cluster, the coordinator first. */
function nodesOf(): Promise<readonly Node[]> {
  nodes ??= readNodes();
  return nodes;
}

async function readNodes(): Promise<readonly Node[]> {
  const rows = await runSql(clusterUrl, "SELECT groupid, nodename, nodeport FROM pg_dist_node ORDER BY groupid");
  return rows.map(({ groupid, nodename, nodeport }) => {
    const url = new URL(clusterUrl);
    if (groupid !== 0) Object.assign(url, { hostname: nodename, port: nodeport });
    return { group: Number(groupid), hostname: String(nodename), port: Number(nodeport), url: url.href };
  });
}

function at(node: Node, name: string): string {
  const url = new URL(node.url);
  url.pathname = `/${name}`;
  return url.href;
}
