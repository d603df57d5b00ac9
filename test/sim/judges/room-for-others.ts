import type { Told } from '../received.ts';
import { closesOf, type SentRequest } from '../witness.ts';
import type { MakeJudgement } from './judge.ts';

/** Half of what the exchange allows in a minute. */
const MOST_A_MINUTE = 600;
/** Many orders may get stuck in a moment, and each is asked after at once: it is those that go on being asked after that count. */
const FIRST_ONES = 3;
const MINUTE_MS = 60_000;

/** What one run asked about single orders in the last minute: look-ups, and closes that had been sent before. */
class Enquiries {
  readonly told: Told;
  readonly #closed = new Set<string>();
  /** How often each order was asked after. */
  readonly #asked = new Map<string, number>();
  #sentMs: number[] = [];
  #first = 0;

  constructor(told: Told) {
    this.told = told;
  }

  /** How many left in the last minute besides the first about each order, this one included if it is one. */
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

  /** The orders that it asks after, or closes once more. */
  #subjectsOf(sent: SentRequest): readonly string[] {
    const asked = /^GET \/v2\/orders\/(\d+|tracked\/.+)\/$/.exec(sent.what)?.[1];
    if (asked !== undefined) return [asked];
    const closed = closesOf(sent).map(String);
    const again = closed.filter((order) => this.#closed.has(order));
    for (const order of closed) this.#closed.add(order);
    return again;
  }

  /** Counts what is asked about each order. */
  #isFurther(order: string): boolean {
    const asked = (this.#asked.get(order) ?? 0) + 1;
    this.#asked.set(order, asked);
    return asked > FIRST_ONES;
  }
}

/** 21: asking after orders that do not come to their end leaves requests to heartbeats, betslips and quotes. */
export const roomForOthers: MakeJudgement = ({ world, fail }) => {
  let enquiries: Enquiries | null = null;
  return {
    onSent(request, { told }) {
      // What does not get out draws on nothing.
      if (world.wires.host.isNetworkDown) return;
      if (enquiries?.told !== told) enquiries = new Enquiries(told);
      const sent = enquiries.after(request);
      if (sent > MOST_A_MINUTE) fail('21 room for others', `${sent} enquiries after orders in a minute`);
    },
  };
};
