import type { Told } from '../told.ts';
import type { MakeJudgement } from './judge.ts';

/** Half of what the exchange allows in a minute. */
const MOST_A_MINUTE = 600;
/** Many orders may get stuck in a moment, and each is asked after at once: it is those that go on being asked after that count. */
const FIRST_ONES = 3;
const MINUTE_MS = 60_000;

/** The instants of the last minute. */
class LastMinute {
  #atMs: number[] = [];
  #first = 0;

  add(atMs: number): void {
    this.#atMs.push(atMs);
  }

  count(nowMs: number): number {
    while ((this.#atMs[this.#first] ?? Infinity) <= nowMs - MINUTE_MS) this.#first++;
    if (this.#first > MOST_A_MINUTE) {
      this.#atMs = this.#atMs.slice(this.#first);
      this.#first = 0;
    }
    return this.#atMs.length - this.#first;
  }
}

/**
 * What one run asked about single orders in the last minute: look-ups, and closes that had been sent before. Closes that fail
 * have to be repeated, and are counted by themselves: the turns of neither may wait for the other's.
 */
class Enquiries {
  readonly told: Told;
  readonly #closed = new Set<string>();
  readonly #asked = new Map<string, number>();
  readonly #questions = new LastMinute();
  readonly #failing = new LastMinute();

  constructor(told: Told) {
    this.told = told;
  }

  /** How many of either left in the last minute besides the first about each order, this one included if it is one. */
  after(what: string, atMs: number): number {
    const close = /^POST \/v2\/orders\/(\d+)\/close\/$/.exec(what);
    if (this.#isOne(what, close !== null) && this.#isFurther(what)) {
      const isFailing = close !== null && !this.told.closesHeard.has(Number(close[1]));
      (isFailing ? this.#failing : this.#questions).add(atMs);
    }
    return Math.max(this.#questions.count(atMs), this.#failing.count(atMs));
  }

  #isOne(what: string, isClose: boolean): boolean {
    if (!isClose) return /^GET \/v2\/orders\/(\d+|tracked\/.+)\/$/.test(what);
    const isRepeat = this.#closed.has(what);
    this.#closed.add(what);
    return isRepeat;
  }

  /** Counts what is asked about each order. */
  #isFurther(what: string): boolean {
    const order = what.replace(/^\w+ |close\/$/g, '');
    const asked = (this.#asked.get(order) ?? 0) + 1;
    this.#asked.set(order, asked);
    return asked > FIRST_ONES;
  }
}

/** 21: asking after orders that do not come to their end leaves requests to heartbeats, betslips and quotes. */
export const roomForOthers: MakeJudgement = ({ world, fail }) => {
  let enquiries: Enquiries | null = null;
  return {
    onSent({ what, atMs }, { told }) {
      // What does not get out draws on nothing.
      if (world.wires.host.isNetworkDown) return;
      if (enquiries?.told !== told) enquiries = new Enquiries(told);
      const sent = enquiries.after(what, atMs);
      if (sent > MOST_A_MINUTE) fail('21 room for others', `${sent} enquiries after orders in a minute`);
    },
  };
};
