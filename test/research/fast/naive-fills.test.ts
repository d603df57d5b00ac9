/** The fills of one order against a reading of `docs/backtest.md` alone, which keeps a front and a back of the queue and nothing else. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMicros, toMicros } from '../../../src/domain/money.ts';
import { LADDER } from '../../../src/domain/ladder.ts';
import { DIRECTIONS, type Direction } from '../../../src/domain/selection.ts';
import { SCENARIOS, type Scenario } from '../../../src/fills/fill-model.ts';
import { FILL_MODELS } from '../../../src/fills/scenarios.ts';
import { fillsOfQuotes, type FixedQuote } from '../../../src/research/fast/fixed-quotes.ts';
import { type EventTape, MARKET_STATE, OP } from '../../../src/research/tape.ts';
import { generatedSteps, type Step, TAPE_START_MS, tapeOf } from '../../support/tapes.ts';
import { INSTANT } from './fixed-quotes.ts';

/** One order on its own in a recorded book. */
class NaiveOrder {
  readonly fills: string[] = [];
  /** It met an open book that it crosses: what it takes there is no matter of queues. */
  takes = false;
  readonly #scenario: Scenario;
  readonly #quote: FixedQuote;
  /** Stake before and behind it, once it rests. */
  #front = 0;
  #back = 0;
  #left: number;
  #rests = false;
  #isOpen = true;
  /** By side and tick: the recorded size, less what the order took of it. */
  readonly #sizes = new Map<string, number>();
  readonly #taken = new Map<string, number>();
  /** What traded at its price at this instant, and no fall has shown yet. */
  #waiting = 0;
  #waitingMs = NaN;

  constructor(scenario: Scenario, quote: FixedQuote) {
    [this.#scenario, this.#quote, this.#left] = [scenario, quote, quote.stakeMicros];
  }

  run({ updates }: EventTape): this {
    for (let row = 0; row < updates.length && this.#left > 0; row++) {
      const atMs = updates.atMs[row] ?? NaN;
      if (!this.#rests && atMs >= this.#quote.placedMs) this.#rest();
      const [op, tick, micros] = [updates.op[row], updates.tick[row] ?? -1, updates.micros[row] ?? NaN];
      if (op === OP.state) this.#setOpen(tick === MARKET_STATE.open);
      else if (op === OP.restingFor) this.#level('for', tick, micros, atMs);
      else if (op === OP.restingAgainst) this.#level('against', tick, micros, atMs);
      else if (this.#isOpen) this.#trade(op === OP.tradedFor ? 'for' : 'against', tick, micros, atMs);
    }
    return this;
  }

  #rest(): void {
    this.#rests = true;
    this.#front = this.#size(this.#quote.direction, this.#quote.tick);
    this.#noteCrossing();
  }

  #setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.#noteCrossing();
  }

  #noteCrossing(): void {
    if (!this.#rests || !this.#isOpen) return;
    for (const [key, size] of this.#sizes) {
      const [side, tick] = key.split(' ');
      if (side !== this.#quote.direction && size > 0 && this.#isReached(Number(tick))) this.takes = true;
    }
  }

  #size(side: Direction, tick: number): number {
    return this.#sizes.get(`${side} ${tick}`) ?? 0;
  }

  /** Whether stake of the other side at a tick is at the price of the order or beyond: it would take no less of the order's price. */
  #isReached(tick: number): boolean {
    const { direction, tick: own } = this.#quote;
    return direction === 'for' ? tick >= own : tick <= own;
  }

  /** Whether a trade or a level lies beyond the price of the order: above a resting `for`, below a resting `against`. */
  #isBeyond(tick: number): boolean {
    return this.#isReached(tick) && tick !== this.#quote.tick;
  }

  #fill(micros: number, atMs: number): number {
    const filled = Math.min(micros, this.#left);
    if (filled <= 0) return 0;
    this.#left -= filled;
    this.fills.push(`${atMs - TAPE_START_MS}: ${fromMicros(filled)}`);
    return filled;
  }

  #trade(side: Direction, tick: number, micros: number, atMs: number): void {
    if (!this.#rests || side !== this.#quote.direction) return;
    // Beyond the price the taker passed the order, which gets the first of its whole size.
    if (this.#isBeyond(tick)) this.#fill(micros, atMs);
    else if (tick === this.#quote.tick && this.#scenario === 'touch') this.#fill(micros, atMs);
    else if (tick === this.#quote.tick) {
      this.#waiting = (this.#waitingMs === atMs ? this.#waiting : 0) + micros;
      this.#waitingMs = atMs;
    }
  }

  #level(side: Direction, tick: number, shown: number, atMs: number): void {
    const key = `${side} ${tick}`;
    // What the order took stays taken until the recording shows less.
    const taken = Math.min(this.#taken.get(key) ?? 0, shown);
    this.#taken.set(key, taken);
    const before = this.#size(side, tick);
    const size = shown - taken;
    this.#sizes.set(key, size);
    if (!this.#rests) return;
    if (side === this.#quote.direction) {
      if (tick !== this.#quote.tick) return;
      if (size > before) this.#back += size - before;
      else this.#fall(before - size, atMs);
      return;
    }
    const crosses = this.#scenario === 'through' ? this.#isBeyond(tick) : this.#isReached(tick);
    if (!this.#isOpen || size <= before || !crosses) return;
    const filled = this.#fill(size - before, atMs);
    this.#taken.set(key, taken + filled);
    this.#sizes.set(key, size - filled);
  }

  /** What traded at this instant takes from the front; the rest was cancelled. */
  #fall(micros: number, atMs: number): void {
    const waiting = this.#waitingMs === atMs ? this.#waiting : 0;
    const traded = Math.min(waiting, micros);
    this.#waiting = waiting - traded;
    const left = this.#front + this.#back - micros;
    const ahead = Math.min(traded, this.#front);
    this.#front -= ahead;
    const own = this.#scenario === 'queue' ? this.#fill(traded - ahead, atMs) : 0;
    this.#back -= Math.min(this.#back, traded - ahead - own);
    this.#cancel(this.#front + this.#back - left);
  }

  #cancel(micros: number): void {
    const [front, back] = [this.#front, this.#back];
    const share = front === 0 ? 0 : front ** 3 / (front ** 3 + back ** 3);
    // Without a law of cancellations the newest stake goes.
    const wanted = this.#scenario === 'queue' ? Math.round(micros * share) : 0;
    const fromFront = Math.min(front, Math.max(wanted, micros - back));
    this.#front -= fromFront;
    this.#back -= micros - fromFront;
  }
}

const quote = fc
  .record({
    direction: fc.constantFrom(...DIRECTIONS),
    price: fc.constantFrom(2.36, 2.38, 2.4, 2.42, 2.44, 2.46),
    stake: fc.integer({ min: 40, max: 200 }),
    placed: fc.integer({ min: 0, max: 6_000 }),
  })
  .map(({ direction, price, stake, placed }): FixedQuote => ({
    selection: 0,
    direction,
    tick: LADDER.indexOf(price),
    stakeMicros: toMicros(stake),
    placedMs: TAPE_START_MS + placed,
    closedMs: null,
  }));

/** Two prices of a side at which stake comes, trades and goes, so that fills come after cancellations before and behind. */
const crowded: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 400 }),
      price: fc.constantFrom(2.42, 2.42, 2.44),
      size: fc.integer({ min: 0, max: 60 }),
      traded: fc.option(fc.integer({ min: 1, max: 40 }), { freq: 2 }),
    }),
    { minLength: 20, maxLength: 60, size: 'max' },
  )
  .map((given) => {
    let ms = 0;
    return given.flatMap(({ afterMs, price, size, traded }): Step[] => {
      ms += afterMs;
      return [
        ...(traded === null ? [] : [[ms, 'trade for', price, traded] as const]),
        [ms, 'for', price, size],
      ];
    });
  });

describe('the fills of an order', () => {
  it.each(SCENARIOS)('are those of a naive reading of the docs, in a crowd: %s', (scenario) => {
    let afterCancels = 0;
    fc.assert(
      fc.property(
        crowded,
        fc.integer({ min: 40, max: 200 }),
        fc.integer({ min: 0, max: 3_000 }),
        (steps, stake, ms) => {
          const tape = tapeOf(steps);
          const terms = {
            selection: 0,
            direction: 'for',
            tick: LADDER.indexOf(2.42),
            closedMs: null,
          } as const;
          const given = { ...terms, stakeMicros: toMicros(stake), placedMs: TAPE_START_MS + ms };
          const naive = new NaiveOrder(scenario, given).run(tape);
          const [fate] = fillsOfQuotes(tape, [given], FILL_MODELS[scenario], { settings: INSTANT });
          expect(
            fate?.fills.map(({ atMs, stakeMicros }) => `${atMs - TAPE_START_MS}: ${fromMicros(stakeMicros)}`),
          ).toEqual(naive.fills);
          // A share of a cancellation leaves parts of a USDT.
          if (naive.fills.some((fill) => fill.includes('.'))) afterCancels++;
        },
      ),
      { numRuns: 500 },
    );
    if (scenario === 'queue') expect(afterCancels).toBeGreaterThan(5);
  });

  it.each(SCENARIOS)('are those of a naive reading of the docs, on generated tapes: %s', (scenario) => {
    let filled = 0;
    fc.assert(
      fc.property(generatedSteps, quote, (steps, given) => {
        const tape = tapeOf(steps);
        const naive = new NaiveOrder(scenario, given).run(tape);
        fc.pre(!naive.takes);
        const [fate] = fillsOfQuotes(tape, [given], FILL_MODELS[scenario], { settings: INSTANT });
        const fills = fate?.fills.map(({ atMs, stakeMicros, tick }) => {
          expect(tick).toBe(given.tick);
          return `${atMs - TAPE_START_MS}: ${fromMicros(stakeMicros)}`;
        });
        expect(fills).toEqual(naive.fills);
        if (naive.fills.length > 1) filled++;
      }),
      { numRuns: 500 },
    );
    expect(filled).toBeGreaterThan(50);
  });
});
