import type { Database } from "./database.js";

/** The shop's tables, with common names, and a few rows. */
export async function createTables({ all, serial }: Database): Promise<void> {
  await all("CREATE TABLE tenants (id INTEGER PRIMARY KEY, title TEXT NOT NULL)");
  await all("CREATE TABLE users (id INTEGER PRIMARY KEY, login TEXT NOT NULL UNIQUE, tenant INTEGER NOT NULL)");
  await all(`CREATE TABLE orders (id ${serial}, item TEXT NOT NULL, status TEXT NOT NULL)`);
  await all(`CREATE TABLE events (seq ${serial}, about INTEGER NOT NULL, happened TEXT NOT NULL)`);
  await all("INSERT INTO tenants VALUES (1, 'The north branch'), (2, 'The south branch')");
  await all("INSERT INTO users VALUES (1, 'nina', 1), (2, 'otto', 1), (3, 'pola', 2)");
  for (let made = 0; made < 40; made += 1) {
    await all("INSERT INTO orders (item, status) VALUES (?, ?)", `tea no. ${made}`, made % 2 ? "open" : "sent");
  }
  await all("INSERT INTO events (about, happened) VALUES (1, 'ordered'), (1, 'sent')");
}
