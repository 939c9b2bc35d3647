import { ConnectorError, type ConnectorState, type SecretSource } from "@reeve/core/connectors";

const MAX_KEY = 200;
const MAX_BYTES = 65_536;

type Texts = Readonly<Record<string, string>>;

/** What an instance keeps between calls, in every process: its secrets and its state. */
export interface InstanceMemory {
  readonly secrets: SecretSource;
  readonly state: ConnectorState;
}

/** The memory of a new instance. Parts that share it are one instance in several processes. */
export function instanceMemory(secrets: Texts = {}): InstanceMemory {
  return { secrets: secretSource(secrets), state: jsonState() };
}

function secretSource(first: Texts): SecretSource {
  let [values, version] = [{ ...first } as Texts, 1];
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: async () => ({ values, version }),
    async replace(patch, at) {
      if (at !== version) throw new ConnectorError("conflict", "Somebody else has changed the secrets.");
      [values, version] = [{ ...values, ...patch }, version + 1];
    },
    exclusively(work) {
      const next = last.then(work, work);
      last = next.catch(() => undefined);
      return next;
    },
  };
}

const wrong = (message: string) => new ConnectorError("fatal", message, { code: "state_limit" });

/** Keeps texts of JSON, as a database does, so that nothing else survives. */
function jsonState(): ConnectorState {
  const kept = new Map<string, string>();
  return {
    async get(key) {
      const text = kept.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    async put(key, value) {
      const text: string | undefined = JSON.stringify(value);
      if (key.length === 0 || key.length > MAX_KEY) throw wrong(`Keys have 1 to ${MAX_KEY} characters.`);
      if (text === undefined) throw wrong("Values are JSON.");
      if (Buffer.byteLength(text) > MAX_BYTES) throw wrong(`Values take at most ${MAX_BYTES} bytes.`);
      kept.set(key, text);
    },
    async delete(key) {
      kept.delete(key);
    },
  };
}
