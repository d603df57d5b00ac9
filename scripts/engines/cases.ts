/** Generated markets with quotes in them, each an event of its own. */
import { eventId, sport } from '../../src/domain/ids.ts';
import { toMicros } from '../../src/domain/money.ts';
import { tickOf } from '../../src/domain/ladder.ts';
import { type Direction, selectionId } from '../../src/domain/selection.ts';
import { integerBetween, type Random, seededRandom } from '../../src/lib/random.ts';
import { UpdateColumns } from '../../src/research/columns.ts';
import { type EventTape, OP, UNKNOWN_RUNNERS } from '../../src/research/tape.ts';

/** A quote as `fixed-quotes.ts` takes it. */
export interface CaseQuote {
  readonly eventId: string;
  readonly direction: Direction;
  readonly tick: number;
  readonly stakeMicros: number;
  readonly level: number;
}

export interface Case {
  readonly tape: EventTape;
  readonly quotes: readonly CaseQuote[];
}

export const CASE_START_MS = Date.parse('2026-01-03T12:00:00Z');
/** The books stand still for so long, until every order of both engines rests. */
const QUIET_MS = 30_000;
const STARTS_IN_MS = 3_600_000;

/** Recorded `against` stake rests up to 2.4, `for` stake from 2.42 on. */
const PRICES: Readonly<Record<Direction, readonly number[]>> = {
  for: [2.42, 2.44, 2.46, 2.48, 2.5],
  against: [2.4, 2.38, 2.36, 2.34, 2.32],
};
/** How many of the best prices quotes stand at. */
const QUOTED = 3;
/** No quote is ever filled whole: what replaces it would rest at other instants in the two engines. */
const STAKE: readonly [least: number, most: number] = [3_000, 9_000];
const STEPS: readonly [least: number, most: number] = [20, 120];
const LONGEST_PAUSE_MS = 800;

/** The case of a seed and a number. */
export function caseOf(seed: number, number: number): Case {
  const random = seededRandom(seed, `case ${number}`);
  const name = { sport: sport('fb'), eventId: eventId(`2026-01-03,${2 * number + 1},${2 * number + 2}`) };
  const columns = new UpdateColumns();
  const push = (atMs: number, op: number, price: number, stake: number): void =>
    columns.push(CASE_START_MS + atMs, op, 0, tickOf(price) ?? 0, toMicros(stake));
  for (const price of PRICES.for) push(0, OP.restingFor, price, integerBetween(random, 1, 60));
  for (const price of PRICES.against) push(0, OP.restingAgainst, price, integerBetween(random, 1, 60));
  let atMs = QUIET_MS;
  for (let left = integerBetween(random, ...STEPS); left > 0; left--) {
    atMs += integerBetween(random, 0, LONGEST_PAUSE_MS);
    step(random, (op, price, stake) => push(atMs, op, price, stake));
  }
  push(atMs + 1_000, OP.restingFor, 10, 0);
  const quotes = quotesOf(random, name.eventId);
  return {
    quotes,
    tape: {
      event: name,
      eventName: `Home ${number} v Away ${number}`,
      home: 'Home',
      away: 'Away',
      competitionId: 1,
      competitionName: 'League',
      startMs: CASE_START_MS + STARTS_IN_MS,
      inPlayMs: null,
      hasTrades: true,
      gaps: [],
      markets: [{ marketId: '1.1', marketType: 'wdw', commissionRate: 0, ...UNKNOWN_RUNNERS }],
      removals: [],
      selections: [
        {
          selectionId: selectionId(name.sport, name.eventId, 'h'),
          outcome: 'h',
          market: 0,
          name: 'Home',
          settlement: null,
        },
      ],
      updates: columns.updates(),
    },
  };
}

type Push = (op: number, price: number, stake: number) => void;

/** A changed level or a trade, on either side. */
function step(random: Random, push: Push): void {
  const isFor = random.next() < 0.5;
  const prices = PRICES[isFor ? 'for' : 'against'];
  const price = prices[integerBetween(random, 0, prices.length - 1)] as number;
  if (random.next() < 0.5)
    push(isFor ? OP.restingFor : OP.restingAgainst, price, integerBetween(random, 0, 60));
  else push(isFor ? OP.tradedFor : OP.tradedAgainst, price, integerBetween(random, 1, 40));
}

function quotesOf(random: Random, event: string): CaseQuote[] {
  return (['for', 'against'] as const).flatMap((direction) => {
    const prices = PRICES[direction].slice(0, QUOTED).filter(() => random.next() < 0.6);
    return prices.map((price, level) => ({
      eventId: event,
      direction,
      tick: tickOf(price) ?? 0,
      level,
      stakeMicros: toMicros(integerBetween(random, ...STAKE)),
    }));
  });
}
