export type Side = "client" | "server";

/** What happens to a connection at a moment. */
export type Fault =
  /** Both ends are cut off. */
  | "cut"
  /** The client is cut off, and all that it has sent arrives. */
  | "lose"
  /** As `lose`, but the rest arrives when the client has long been told. */
  | "late"
  /** Nothing passes any more, and nobody says so. */
  | "hang"
  /** The line waits for this, and goes on. It gets the port by which the server knows the connection. */
  | ((port: number) => Promise<void>);

/** A moment of a connection, and what happens then. */
export interface Strike {
  readonly side: Side;
  /** The message of that side, counted from when the strike was set, from 0. */
  readonly message: number;
  /** Where in the message: 0 is before its first byte, 1 behind its last. */
  readonly place: number;
  readonly fault: Fault;
}

/** A message of the protocol in bytes that one side sends. The end may lie behind them. */
interface Message {
  readonly start: number;
  readonly end: number;
  /** Its letter; none for the first one of a client. */
  readonly type: string;
}

/** A client asks for the execution of a statement by one of these messages. */
const EXECUTES = ["E", "Q"];

/** Finds where messages of the protocol begin in what one side sends. */
export class Messages {
  #left = 0;
  #header = Buffer.alloc(0);
  /** The first message of a client has no type. */
  #type: 0 | 1;

  constructor(side: Side) {
    this.#type = side === "client" ? 0 : 1;
  }

  /** Each message that begins in these bytes. */
  in(bytes: Buffer): Message[] {
    const found: Message[] = [];
    let at = Math.min(this.#left, bytes.length);
    this.#left -= at;
    while (at < bytes.length) {
      const need = this.#type + 4 - this.#header.length;
      const header = Buffer.concat([this.#header, bytes.subarray(at, at + need)]);
      if (header.length < this.#type + 4) {
        this.#header = header;
        return found;
      }
      const start = at - this.#header.length;
      const end = start + this.#type + header.readInt32BE(this.#type);
      const type = header.toString("latin1", 0, this.#type);
      this.#header = Buffer.alloc(0);
      this.#type = 1;
      found.push({ start: Math.max(0, start), end, type });
      at = Math.min(end, bytes.length);
      this.#left = end - at;
    }
    return found;
  }
}

/** Waits for the moment of a strike. */
export class Aim {
  readonly seen: Record<Side, number> = { client: 0, server: 0 };
  /** How many statements a client asked to execute. */
  statements = 0;
  #ahead: number | undefined;
  hasStruck = false;

  constructor(private readonly strike?: Strike) {}

  get fault(): Fault | undefined {
    return this.strike?.fault;
  }

  /** Counts messages. Returns after how many of these bytes the moment is, if it is among them. */
  momentIn(side: Side, bytes: Buffer, messages: readonly Message[]): number | undefined {
    for (const { start, end, type } of messages) {
      if (side === "client" && EXECUTES.includes(type)) this.statements++;
      const number = this.seen[side]++;
      if (!this.strike || this.hasStruck || side !== this.strike.side || number !== this.strike.message) continue;
      this.#ahead = start + Math.round((end - start) * this.strike.place);
    }
    if (this.#ahead === undefined || side !== this.strike?.side) return undefined;
    if (this.#ahead > bytes.length) {
      this.#ahead -= bytes.length;
      return undefined;
    }
    const moment = this.#ahead;
    this.#ahead = undefined;
    this.hasStruck = true;
    return moment;
  }
}
