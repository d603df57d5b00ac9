/** Compares what judges fills with its independent reading: fills at drawn instants of a tape, on all of its selections. */
import { LAST_TICK, tickOf } from '../../src/domain/ladder.ts';
import { DIRECTIONS } from '../../src/domain/selection.ts';
import { integerBetween, type Random, seededRandom } from '../../src/lib/random.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { EventRecords } from '../../src/research/records/event-records.ts';
import { OpenTimes } from '../../src/research/records/open-times.ts';
import { splitOf } from '../../src/research/statistics/attribution.ts';
import { type EventTape, OP } from '../../src/research/tape.ts';
import { modelledEvening } from '../../src/research/tapes/modelled.ts';
import { NaiveEvent } from './naive-fair.ts';
import {
  naiveAfterCommission,
  type NaiveFill,
  naiveFill,
  naiveSplit,
  type NaiveTerms,
} from './naive-judge.ts';

export interface Compared {
  fills: number;
  values: number;
  /** Values that are there: the others are null in both. */
  known: number;
  readonly differences: string[];
}

export const nothingCompared = (): Compared => ({ fills: 0, values: 0, known: 0, differences: [] });

/** Probabilities are equal to this; both sides solve their equations to less. */
const TOLERANCE = 1e-7;

/** Adds the comparison of so many fills of a tape. */
export function compareEvent(tape: EventTape, fills: number, seed: number, to: Compared): void {
  if (tape.updates.length === 0 || tape.selections.length === 0) return;
  const random = seededRandom(seed, `${tape.event.sport},${tape.event.eventId}`);
  const drawn = Array.from({ length: fills }, () => termsOn(tape, random)).sort((a, b) => a.atMs - b.atMs);
  const records = recordsOf(tape, drawn);
  const event = new NaiveEvent(tape);
  const naive = drawn.map((terms) => naiveFill(event, terms));
  // A worth on the edge of rounding may differ by a micro; a sum of worths by one for each of those, and no further.
  let onEdge = 0;
  const noteWithin = (allowed: number, where: string, name: string, ours: unknown, others: unknown): void => {
    to.values++;
    if (ours !== null) to.known++;
    if (!isSame(ours, others, allowed))
      to.differences.push(`${where}: ${name} is ${String(ours)}, not ${String(others)}`);
  };
  const noteFill: Note = (where, name, ours, others) => {
    noteWithin(isMicros(name) ? 1 : TOLERANCE, where, name, ours, others);
    if (isMicros(name) && ours !== others) onEdge++;
  };
  const noteSum: Note = (where, name, ours, others) => noteWithin(onEdge, where, name, ours, others);
  for (const [at, fill] of records.fills.entries()) {
    to.fills++;
    const terms = drawn[at] as NaiveTerms;
    const where = `${tape.eventName}, ${tape.selections[terms.selection]?.outcome}, ${new Date(terms.atMs).toISOString()}`;
    const theirs = naive[at] as NaiveFill;
    for (const name of Object.keys(theirs) as (keyof NaiveFill)[]) {
      const [ours, others] = [fill[name], theirs[name]].map((value) => [value].flat());
      for (const [each, one] of (ours ?? []).entries())
        noteFill(where, `${name} ${each}`, one, others?.[each]);
    }
  }
  compareSums(tape, event, records, drawn, naive, noteSum);
}

type Note = (where: string, name: string, ours: unknown, others: unknown) => void;

/** Attribution, settlement and commission of an event. */
function compareSums(
  { eventName, selections }: EventTape,
  event: NaiveEvent,
  { fills, outcome }: ReturnType<typeof recordsOf>,
  drawn: readonly NaiveTerms[],
  naive: readonly NaiveFill[],
  note: Note,
): void {
  const split = splitOf(fills, [outcome]);
  const isSettled = outcome.settledMicros !== null;
  const counts = isSettled || selections.every(({ settlement }) => settlement === null);
  const expected = naiveSplit(counts ? naive : []);
  note(eventName, 'spread micros', split.spreadMicros, expected['spread']);
  note(eventName, 'adverse micros', split.adverseMicros, expected['adverse']);
  note(eventName, 'inventory micros', split.inventoryMicros, expected['inventory']);
  if (!isSettled) return;
  note(eventName, 'settlement micros', split.settlementMicros, expected['settlement']);
  const paid = naive.reduce((sum, { settledMicros }) => sum + (settledMicros ?? 0), 0);
  note(eventName, 'settled micros', outcome.settledMicros, paid);
  const settled = naive.map(({ settledMicros }, at) => ({
    settledMicros,
    selection: (drawn[at] as NaiveTerms).selection,
  }));
  const after = naiveAfterCommission(event, settled);
  note(eventName, 'micros after commission', outcome.afterCommissionMicros, after);
}

const isMicros = (name: string): boolean => /micros/i.test(name);

function isSame(ours: unknown, others: unknown, allowed: number): boolean {
  if (typeof ours !== 'number' || typeof others !== 'number') return ours === others;
  return Math.abs(ours - others) <= allowed;
}

/** A fill just before or at an update, at a price about the last trade of the selection, or anywhere. */
function termsOn({ updates, selections }: EventTape, random: Random): NaiveTerms {
  let row = integerBetween(random, 0, updates.length - 1);
  while (row > 0 && updates.op[row] === OP.state) row--;
  const isHere = updates.op[row] !== OP.state && random.next() < 0.9;
  const tick = isHere ? (updates.tick[row] as number) : integerBetween(random, 0, tickOf(50) ?? LAST_TICK);
  return {
    selection: isHere ? (updates.of[row] as number) : integerBetween(random, 0, selections.length - 1),
    direction: DIRECTIONS[integerBetween(random, 0, 1)] ?? 'for',
    tick: Math.min(tick, tickOf(50) ?? LAST_TICK),
    stakeMicros: integerBetween(random, 1_000_000, 20_000_000),
    atMs: (updates.atMs[row] as number) + (random.next() < 0.5 ? 0 : integerBetween(random, 1, 20_000)),
  };
}

function recordsOf(tape: EventTape, drawn: readonly NaiveTerms[]) {
  const [startMs, endMs] = [tape.updates.atMs[0] ?? NaN, tape.updates.atMs[tape.updates.length - 1] ?? NaN];
  const open = tape.markets.map(() => true);
  const window = [-Infinity, Infinity] as const;
  const records = new EventRecords(
    tape,
    new OpenTimes({ tape, startMs, window, open, isQuoted: () => false }),
  );
  for (const { selection, direction, tick, stakeMicros, atMs } of drawn)
    records.onFill(
      { selection, direction, restedFromMs: null, queueAheadMicros: 0, tradedMicros: 0 },
      { tick, stakeMicros, cause: 'trade', atMs, inPlay: false },
    );
  const nothing = { ifWinMicros: () => 0, ifLoseMicros: () => 0 };
  const activity = { orders: 0, betslips: 0, refusals: {}, worstMicros: 0, besidesMicros: 0 };
  return { fills: records.fills, outcome: records.finish(endMs, null, nothing, activity) };
}

const FIRST_EVENING_MS = Date.parse('2026-01-03T17:00:00Z');
/** From a quarter of an hour before its start until its end. */
const [EVENING_MS, LEAD_MINUTES] = [150 * 60_000, 75];

/** A match of the modelled market, with all its trades. */
export const modelledEvent = (number: number, seed: number): EventTape[] =>
  modelledEvening({
    seed: integerBetween(seededRandom(seed, `event ${number}`), 0, 2 ** 31 - 1),
    startMs: FIRST_EVENING_MS + number * DAY_MS,
    eveningMs: EVENING_MS,
    events: 1,
    leadMinutes: LEAD_MINUTES,
    marketTypes: ['wdw', 'ou'],
  });
