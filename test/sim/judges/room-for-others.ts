import type { Received } from '../received.ts';
import { closesOf, type SentRequest } from '../witness.ts';
import type { MakeJudgement } from './judge.ts';

/** Half of what the exchange allows in a minute. */
const MOST_A_MINUTE = 600;
/** Many orders may get stuck at the same moment, and each is looked up at once. Only repeated lookups count. */
const FIRST_ONES = 3;
const MINUTE_MS = 60_000;

/** The requests of one run about single orders in the last minute: look-ups, and repeated closes. */
class Enquiries {
  readonly received: Received;
  readonly #closed = new Set<string>();
  /** How often each order was looked up. */
  readonly #asked = new Map<string, number>();
  #sentMs: number[] = [];
  #first = 0;

  constructor(received: Received) {
    this.received = received;
  }

  /** The requests of the last minute except the first about each order, with this one if it is none of those. */
  after(sent: SentRequest): number {
    const { atMs } = sent;
    const further = this.#subjectsOf(sent).filter((order) => this.#isFurther(order));
    if (further.length > 0) this.#sentMs.push(atMs);
    while ((this.#sentMs[this.#first] ?? Infinity) <= atMs - MINUTE_MS) this.#first++;
    if (this.#first > MOST_A_MINUTE) {
      this.#sentMs = this.#sentMs.slice(this.#first);
      this.#first = 0;
    }
    return this.#sentMs.length - this.#first;
  }

  /** The orders that it looks up, or closes once more. */
  #subjectsOf(sent: SentRequest): readonly string[] {
    const asked = /^GET \/v2\/orders\/(\d+|tracked\/.+)\/$/.exec(sent.what)?.[1];
    if (asked !== undefined) return [asked];
    const closed = closesOf(sent).map(String);
    const again = closed.filter((order) => this.#closed.has(order));
    for (const order of closed) this.#closed.add(order);
    return again;
  }

  /** Counts the requests about each order. */
  #isFurther(order: string): boolean {
    const asked = (this.#asked.get(order) ?? 0) + 1;
    this.#asked.set(order, asked);
    return asked > FIRST_ONES;
  }
}

/** 21: look-ups of orders that do not end leave requests to heartbeats, betslips and quotes. */
export const roomForOthers: MakeJudgement = ({ world, fail }) => {
  let enquiries: Enquiries | null = null;
  return {
    onSent(request, { received }) {
      // A request that does not leave spends nothing.
      if (world.wires.host.isNetworkDown) return;
      if (enquiries?.received !== received) enquiries = new Enquiries(received);
      const sent = enquiries.after(request);
      if (sent > MOST_A_MINUTE) fail('21 room for others', `${sent} enquiries after orders in a minute`);
    },
  };
};
