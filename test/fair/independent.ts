/** Compares what judges fills with its independent reading: fills at drawn instants of a tape, on all of its selections. */
import { LAST_TICK, tickOf } from '../../src/domain/ladder.ts';
import { DIRECTIONS } from '../../src/domain/selection.ts';
import { FAIR_VARIANTS } from '../../src/fair/options.ts';
import { integerBetween, type Random, seededRandom } from '../../src/lib/random.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { EventRecords, type Positions } from '../../src/research/records/event-records.ts';
import { OpenTimes } from '../../src/research/records/open-times.ts';
import { splitOf } from '../../src/research/statistics/attribution.ts';
import { type EventTape, OP } from '../../src/research/tape.ts';
import { modelledEvening } from '../../src/research/tapes/modelled.ts';
import { NaiveEvent, naiveSets } from './naive-fair.ts';
import {
  naiveAfterCommission,
  type NaiveFill,
  naiveFill,
  naiveMarked,
  naiveOutcome,
  type NaivePosition,
  naivePosition,
  naiveSplit,
  type NaiveTerms,
  naiveVerdict,
} from './naive-judge.ts';
import { NAIVE_NUMBERS, type NaiveNumbers } from './naive-solving.ts';

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

/** Each number of the definition of fair values halved, then each doubled. */
const VARIANTS: readonly NaiveNumbers[] = [0.5, 2].flatMap((factor) => [
  { ...NAIVE_NUMBERS, depthMicros: factor * NAIVE_NUMBERS.depthMicros },
  { ...NAIVE_NUMBERS, width: factor * NAIVE_NUMBERS.width },
  { ...NAIVE_NUMBERS, holdMs: factor * NAIVE_NUMBERS.holdMs },
]);

/** Adds the comparison of so many fills of a tape; of their verdicts by the variants of the fair value too, if asked. */
export function compareEvent(
  tape: EventTape,
  fills: number,
  seed: number,
  to: Compared,
  hasVariants = false,
): void {
  if (tape.updates.length === 0 || tape.selections.length === 0) return;
  const random = seededRandom(seed, `${tape.event.sport},${tape.event.eventId}`);
  const drawn = Array.from({ length: fills }, () => termsOn(tape, random)).sort((a, b) => a.atMs - b.atMs);
  const commission = random.next() < 0.5 ? null : 0.02;
  const event = new NaiveEvent(tape);
  const records = recordsOf(event, drawn, commission, hasVariants);
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
  const noteSum: NoteSum = (name, ours, others) => noteWithin(onEdge, tape.eventName, name, ours, others);
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
  compareSums(event, records, { drawn, naive, commission }, noteSum);
  compareOutcome(event, records, { drawn, naive, commission }, noteSum);
  if (hasVariants) compareVariants(event, records, drawn, noteFill);
}

type Note = (where: string, name: string, ours: unknown, others: unknown) => void;
type NoteSum = (name: string, ours: unknown, others: unknown) => void;
type Records = ReturnType<typeof recordsOf>;

/** The fills of a comparison, as they were drawn and as they are judged here. */
interface Judged {
  readonly drawn: readonly NaiveTerms[];
  readonly naive: readonly NaiveFill[];
  readonly commission: number | null;
}

/** Attribution, settlement and commission of an event. */
function compareSums(
  event: NaiveEvent,
  { fills, outcome }: Records,
  { drawn, naive, commission }: Judged,
  note: NoteSum,
): void {
  const { selections } = event.tape;
  // An event has a result once each of its fills has one.
  const isSettled =
    selections.some(({ settlement }) => settlement !== null) &&
    naive.every(({ settledMicros }) => settledMicros !== null);
  const settled = naive.map(({ settledMicros }, at) => ({
    settledMicros,
    selection: (drawn[at] as NaiveTerms).selection,
  }));
  const paid = sumOf(naive, ({ settledMicros }) => settledMicros ?? 0);
  note('settled micros', outcome.settledMicros, isSettled ? paid : null);
  const after = naiveAfterCommission(event, settled, commission);
  note('micros after commission', outcome.afterCommissionMicros, isSettled ? after : null);
  const split = splitOf(fills, [outcome]);
  const expected = naiveSplit(naive);
  note('spread micros', split.spreadMicros, expected['spread']);
  note('adverse micros', split.adverseMicros, expected['adverse']);
  note('inventory micros', split.inventoryMicros, expected['inventory']);
  note('settlement micros', split.settlementMicros, isSettled ? expected['settlement'] : null);
}

/** Luck, commission without an edge, closing line and open positions of an event. */
function compareOutcome(
  event: NaiveEvent,
  { outcome, equity }: Records,
  { drawn, naive, commission }: Judged,
  note: NoteSum,
): void {
  const expected = naiveOutcome(event, drawn, naive, commission);
  for (const name of Object.keys(expected) as (keyof typeof expected)[]) {
    const isRoot = name === 'deviationMicros' || name === 'chanceCommissionMicros';
    // Roots of rounded values are equal to a millionth.
    if (isRoot) note(name, Math.round(outcome[name] / 1e3), Math.round(expected[name] / 1e3));
    else note(name, outcome[name], expected[name]);
  }
  const positions = positionsOf(event, drawn);
  for (const { atMs, inventoryMicros, markedMicros } of equity.slice(0, -1)) {
    note(
      'inventory',
      inventoryMicros,
      sumOf(positions, ({ win, lose }) => win - lose),
    );
    note('open positions', markedMicros, roundedTo(markedMicros, naiveMarked(event, positions, atMs)));
  }
  const marked = roundedTo(outcome.markedMicros, naiveMarked(event, positions, event.endMs));
  note('open positions at the end', outcome.markedMicros, marked);
  note('the last of the account', equity.at(-1)?.markedMicros, outcome.afterCommissionMicros ?? marked);
}

/** Both sides solve their equations to far less than this. */
const EDGE_MICROS = 1e-3;

/** A sum in whole micros: on the edge of rounding it is what the other side found, if that is one of the two. */
const roundedTo = (ours: number, exact: number): number =>
  Math.abs(ours - exact) <= 0.5 + EDGE_MICROS ? ours : Math.round(exact);

/** The verdicts by other numbers of the fair value. */
function compareVariants(
  { tape }: NaiveEvent,
  { outcome }: Records,
  drawn: readonly NaiveTerms[],
  note: Note,
): void {
  for (const [at, numbers] of VARIANTS.entries()) {
    const event = new NaiveEvent(tape, naiveSets(tape), numbers);
    for (const phase of ['before play', 'in play'] as const) {
      const { worth, stake } = naiveVerdict(event, drawn, phase === 'in play');
      const found = outcome.byVariant[at]?.[phase];
      const where = `${tape.eventName}, variant ${at}, ${phase}`;
      note(where, 'stake', found?.stake, stake);
      // Each fill may be rounded to the other side.
      note(where, 'worth', Math.abs((found?.worth ?? NaN) - worth) <= drawn.length, true);
    }
  }
}

const sumOf = <T>(items: readonly T[], value: (item: T) => number): number =>
  items.reduce((sum, item) => sum + value(item), 0);

/** As if no runner left: both readings are asked about the same positions. */
const positionsOf = (event: NaiveEvent, drawn: readonly NaiveTerms[]): NaivePosition[] =>
  event.tape.selections.map((_, selection) => naivePosition(event, drawn, selection, -Infinity));

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
    inPlay: random.next() < 0.5,
  };
}

/** The records of a run with these fills, and samples of the account at some of their instants, as if all fills were held from the beginning. */
function recordsOf(
  event: NaiveEvent,
  drawn: readonly NaiveTerms[],
  commission: number | null,
  hasVariants: boolean,
) {
  const { tape } = event;
  const [startMs, endMs] = [tape.updates.atMs[0] ?? NaN, tape.updates.atMs[tape.updates.length - 1] ?? NaN];
  const open = tape.markets.map(() => true);
  const window = [-Infinity, Infinity] as const;
  const records = new EventRecords(
    tape,
    new OpenTimes({ tape, startMs, window, open, isQuoted: () => false }),
    hasVariants ? FAIR_VARIANTS : [],
  );
  const held = positionsOf(event, drawn);
  const positions: Positions = {
    ifWinMicros: (selection) => held[selection]?.win ?? NaN,
    ifLoseMicros: (selection) => held[selection]?.lose ?? NaN,
  };
  for (const [at, { selection, direction, tick, stakeMicros, atMs, inPlay }] of drawn.entries()) {
    records.onFill(
      { selection, direction, restedFromMs: null, queueAheadMicros: 0, tradedMicros: 0 },
      { tick, stakeMicros, cause: 'trade', atMs, inPlay },
    );
    if (at % SAMPLED_EVERY === 0) records.sample(atMs, 0, positions);
  }
  const activity = { orders: 0, betslips: 0, refusals: {}, worstMicros: 0, besidesMicros: 0 };
  const outcome = records.finish(endMs, commission, positions, activity);
  return { fills: records.fills, outcome, equity: records.equity };
}

const SAMPLED_EVERY = 8;

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
