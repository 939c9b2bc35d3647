/**
 * The fixture of the certification scenario of AuthZEN 1.0 as policies: alice reads and writes what is active, bob reads,
 * admins write what is archived, and soft deletion is alice's.
 */
const ARCHIVED =
  '(has(resource.properties.status) ? resource.properties.status == "archived" : resource.id == "record-2")';
const IS_ADMIN = 'has(subject.properties.role) && subject.properties.role == "admin"';
const KNOWN = 'resource.type == "record" && resource.id in ["record-1", "record-2"]';
export const RULES = [
  {
    ...{ key: "read", effect: "allow", message: "Both read." },
    if: `subject.type == "user" && subject.id in ["alice", "bob"] && action.name == "read" && ${KNOWN}`,
  },
  {
    ...{ key: "write-active", effect: "allow", message: "Alice writes what is active." },
    if: `subject.type == "user" && subject.id == "alice" && action.name == "write" && ${KNOWN} && !${ARCHIVED}`,
  },
  {
    ...{ key: "write-archived", effect: "allow", message: "Admins write what is archived." },
    if: `subject.type == "user" && (${IS_ADMIN} || (!has(subject.properties.role) && subject.id == "bob")) && action.name == "write" && ${KNOWN} && ${ARCHIVED}`,
  },
  {
    ...{ key: "soft-delete", effect: "allow", message: "Alice deletes softly." },
    if: `subject.type == "user" && subject.id == "alice" && action.name == "delete" && has(action.properties.soft) && action.properties.soft == true && ${KNOWN}`,
  },
];

export const [alice, bob] = [
  { type: "user", id: "alice" },
  { type: "user", id: "bob" },
];
export const admin = { ...bob, properties: { role: "admin" } };
export const [record1, record2] = [
  { type: "record", id: "record-1" },
  { type: "record", id: "record-2" },
];
export const archived = { ...record2, properties: { status: "archived" } };
export const [read, write] = [{ name: "read" }, { name: "write" }];
const deletes = (soft: boolean) => ({ name: "delete", properties: { soft } });

const item = (subject: object, action: object, resource: object) => ({ subject, action, resource });

type Question<Expected> = readonly [name: string, body: object, expected: Expected];

/** Single questions of the scenario, with their decisions. */
export const BASIC: readonly Question<boolean>[] = [
  ["c-2-2-1", { subject: alice, action: read, resource: record1 }, true],
  ["rule 2", { subject: alice, action: write, resource: record1 }, true],
  ["rule 3", { subject: bob, action: read, resource: record1 }, true],
  ["c-2-2-2", { subject: bob, action: write, resource: record1 }, false],
  ["c-2-2-3", { subject: alice, action: read, resource: record1, context: { ip: "192.168.1.1" } }, true],
  ["c-2-2-4", { subject: alice, action: write, resource: archived }, false],
  ["c-2-2-5", { subject: admin, action: write, resource: archived }, true],
  ["c-2-2-6", { subject: alice, action: deletes(true), resource: record1 }, true],
  ["c-2-2-7", { subject: alice, action: deletes(false), resource: record1 }, false],
  [
    "c-2-2-8",
    {
      subject: { ...alice, properties: { department: "Sales", role: "manager" } },
      action: { ...read, properties: { method: "GET" } },
      resource: { ...record1, properties: { status: "active", owner: "bob" } },
    },
    true,
  ],
  [
    "c-2-2-9",
    {
      subject: { ...alice, ids: [1] },
      action: { ...read, later: true },
      resource: { ...record1, label: "x" },
      foo: "bar",
      futureField: { nested: true },
    },
    true,
  ],
];

/** Batches of the scenario, with the decisions of each. */
export const BATCH: readonly Question<readonly boolean[]>[] = [
  [
    "c-3-2-1",
    { subject: alice, action: read, evaluations: [{ resource: record1 }, { resource: record2 }] },
    [true, true],
  ],
  ["c-3-2-2", { subject: bob, resource: record1, evaluations: [{ action: read }, { action: write }] }, [true, false]],
  [
    "c-3-2-3",
    {
      ...{ subject: alice, action: write },
      evaluations: [{ resource: { ...record1, properties: { status: "active" } } }, { resource: archived }],
    },
    [true, false],
  ],
  [
    "c-3-2-4",
    { action: write, resource: archived, evaluations: [{ subject: alice }, { subject: admin }] },
    [false, true],
  ],
  ["c-3-2-5", { evaluations: [item(alice, read, record1), item(bob, write, record1)] }, [true, false]],
  [
    "c-3-2-6",
    {
      ...{ subject: alice, action: read, context: { time: "2025-06-27T18:03-07:00" } },
      evaluations: [{ resource: record1 }, { resource: record2, context: { source: "batch-override" } }],
    },
    [true, true],
  ],
  [
    "c-3-2-7",
    {
      ...{ subject: alice, action: write, resource: { ...record1, properties: { status: "active" } } },
      evaluations: [{}, { resource: archived }],
    },
    [true, false],
  ],
  [
    "c-3-4-1",
    {
      ...{ subject: alice, action: read, options: { evaluations_semantic: "execute_all" } },
      evaluations: [{ resource: record1 }, {}],
    },
    [true, false],
  ],
  [
    "a fault ends it with the first denial",
    {
      ...{ subject: alice, action: read, options: { evaluations_semantic: "deny_on_first_deny" } },
      evaluations: [{ resource: record1 }, { resource: { type: "record" } }, { resource: record2 }],
    },
    [true, false],
  ],
  [
    "a fault does not end it with the first permission",
    {
      ...{ subject: alice, action: read, options: { evaluations_semantic: "permit_on_first_permit" } },
      evaluations: [{ resource: 5 }, { resource: record1 }, { resource: record2 }],
    },
    [false, true],
  ],
  ["all are at fault", { evaluations: [{}, {}] }, [false, false]],
];
