/** Events with everything that fair values and settlement depend on: several markets, gaps, suspensions, play, removals and results. */
import { ceilTick, LAST_TICK, priceOf } from '../../src/domain/ladder.ts';
import { HALF_LOSS, HALF_WIN, LOSS, PUSH, type Settlement, WIN } from '../../src/domain/payoff.ts';
import { integerBetween, type Random, seededRandom, uniformBetween } from '../../src/lib/random.ts';
import { type EventTape, OP } from '../../src/research/tape.ts';
import { sport as sportCode } from '../../src/domain/ids.ts';
import { closed, inPlay, open, type Step, suspended, tapeOf, type TapeOptions } from '../support/tapes.ts';

type Selections = NonNullable<TapeOptions['selections']>;
type Markets = NonNullable<TapeOptions['markets']>;
type Removals = NonNullable<TapeOptions['removals']>;

const LENGTH_MS = 600_000;
const MOST_RUNNERS = 5;
/** Stakes of which some hold exactly, or just not, 20 USDT of risk, half of it or twice it at evens. */
const STAKES = [0, 3, 9.99, 10, 19.99, 20, 25, 40, 60] as const;
const RATES = [null, 0, 0.05, 0.1] as const;

const pick = <T>(random: Random, items: readonly T[]): T =>
  items[integerBetween(random, 0, items.length - 1)] as T;
const isDrawn = (random: Random, chance: number): boolean => random.next() < chance;

interface Described {
  readonly selections: Selections;
  readonly markets: Markets;
  /** About which the prices of each selection begin. */
  readonly chances: readonly number[];
}

type Family = readonly [type: string, outcomes: readonly string[], chances: readonly number[]];

/** A market of two sides, without a draw. */
const TWO_WAY: Family = ['ml', ['h', 'a'], [0.55, 0.45]];

/** Markets of football: those that a draw moves, lines, and others. */
const FOOTBALL: readonly Family[] = [
  ['wdw', ['h', 'd', 'a'], [0.45, 0.3, 0.25]],
  ['dnb', ['dnb,h', 'dnb,a'], [0.6, 0.4]],
  [
    'ah',
    ['ah,h,0', 'ah,a,0', 'ah,h,-1', 'ah,a,-1', 'ah,a,2', 'ah,h,2', 'ah,h,-4'],
    [0.6, 0.4, 0.55, 0.45, 0.3, 0.7, 0.2],
  ],
  ['ahou', ['ahover,9', 'ahunder,9', 'ahover,10'], [0.5, 0.5, 0.4]],
  ['ou', ['over,2.5', 'under,2.5', 'under,3.5'], [0.5, 0.5, 0.7]],
  ['dc', ['dc,h,d', 'dc,d,a', 'dc,h,a'], [0.75, 0.55, 0.7]],
  ['cs', ['cs,0,0', 'cs,1,0', 'cs,1,1'], [0.2, 0.35, 0.45]],
  ['oe', ['odd', 'even'], [0.5, 0.5]],
  ['score', ['score,both,no', 'score,both,yes'], [0.45, 0.55]],
];

function match(random: Random, isFootball: boolean): Described {
  const drawn = isFootball ? FOOTBALL.filter((_, at) => at < 1 || isDrawn(random, 0.5)) : [TWO_WAY];
  return {
    selections: drawn.flatMap(([, outcomes], market) => outcomes.map((outcome) => ({ outcome, market }))),
    markets: drawn.map(([marketType]) => ({
      marketType,
      commissionRate: pick(random, RATES),
      winners: marketType === 'cs' ? pick(random, [null, 1]) : null,
      otherRunners: isDrawn(random, 0.15) ? 1 : 0,
    })),
    chances: drawn.flatMap(([, , chances]) => chances),
  };
}

/** A race with its winner and its places; a further market has other runners. */
function race(random: Random): Described {
  const runners = integerBetween(random, 3, MOST_RUNNERS);
  const weights = Array.from({ length: runners }, () => uniformBetween(random, 0.5, 2));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const ids = weights.map((_, at) => at + 1);
  const winners = 2;
  return {
    selections: [
      ...ids.map((id) => ({ outcome: `win,${id}`, market: 0 })),
      ...ids.map((id) => ({ outcome: `top,${winners},${id}`, market: 1 })),
    ],
    markets: [
      { marketType: 'win', commissionRate: pick(random, RATES), winners: 1, otherRunners: 0 },
      {
        marketType: 'top',
        commissionRate: pick(random, RATES),
        winners,
        otherRunners: isDrawn(random, 0.2) ? 1 : 0,
      },
    ],
    chances: [
      ...weights.map((weight) => weight / all),
      ...weights.map((weight) => Math.min(0.9, (winners * weight) / all)),
    ],
  };
}

/** A price at which stake may rest. */
interface Place {
  readonly side: 'for' | 'against';
  readonly price: number;
  readonly selection: number;
}

/** Both sides of a book about a chance, so wide in log-odds. */
function placesAbout(random: Random, selection: number, chance: number): Place[] {
  const width = pick(random, [0.01, 0.05, 0.1, 0.2, 0.24, 0.4]);
  const odds = chance / (1 - chance);
  const tickAt = (logShift: number): number =>
    Math.min(LAST_TICK - 5, Math.max(5, ceilTick(1 + 1 / (odds * Math.exp(logShift))) ?? LAST_TICK));
  const back = tickAt(width / 2);
  // Now and then the sides cross.
  const lay = Math.max(tickAt(-width / 2), back + (isDrawn(random, 0.02) ? -1 : 1));
  const place = (side: Place['side'], tick: number): Place => ({ side, price: priceOf(tick), selection });
  const isOneSided = isDrawn(random, 0.05);
  return [
    ...[back, back - 2, back - 3].map((tick) => place('against', tick)),
    ...(isOneSided ? [] : [lay, lay + 2, lay + 3].map((tick) => place('for', tick))),
  ];
}

const levelStep = (ms: number, { side, price, selection }: Place, stake: number): Step => [
  ms,
  side,
  price,
  stake,
  selection,
];

/** A trade at a price of the book, and mostly its level at the same instant. */
function tradeSteps(random: Random, ms: number, place: Place): Step[] {
  const { side, price, selection } = place;
  const trade = (): Step => [ms, `trade ${side}`, price, pick(random, [1, 5, 12]), selection];
  return [
    trade(),
    ...(isDrawn(random, 0.2) ? [trade()] : []),
    ...(isDrawn(random, 0.7) ? [levelStep(ms, place, pick(random, STAKES))] : []),
  ];
}

function courseOf(random: Random, chances: readonly number[]): Step[] {
  const now = [...chances];
  const places = new Map<number, readonly Place[]>();
  const bookSteps = (ms: number, selection: number): Step[] => {
    const about = placesAbout(random, selection, now[selection] as number);
    const isImage = !places.has(selection) || isDrawn(random, 0.7);
    places.set(selection, about);
    const steps = about.map((place, at) =>
      levelStep(ms, place, at % 3 === 2 && isDrawn(random, 0.9) ? 60 : pick(random, STAKES)),
    );
    return isImage ? [[ms, 'clear', selection], ...steps] : steps;
  };
  const instants = Array.from({ length: 15 * chances.length }, () =>
    integerBetween(random, 0, LENGTH_MS - 20_000),
  ).toSorted((a, b) => a - b);
  return [
    ...now.flatMap((_, selection) => bookSteps(0, selection)),
    ...instants.flatMap((ms): Step[] => {
      const selection = integerBetween(random, 0, chances.length - 1);
      const place = pick(random, places.get(selection) ?? []);
      if (isDrawn(random, 0.25)) return tradeSteps(random, ms, place);
      if (isDrawn(random, 0.3)) return [levelStep(ms, place, pick(random, STAKES))];
      const chance = now[selection] as number;
      const x = Math.log(chance / (1 - chance)) + uniformBetween(random, -0.06, 0.06);
      now[selection] = 1 / (1 + Math.exp(0 - x));
      return bookSteps(ms, selection);
    }),
  ];
}

/** Suspensions, play, and at times an end without play; markets stop together or apart. */
function statesOf(random: Random, markets: number): Step[] {
  const playMs = pick(random, [120_000, 200_000, 400_000, Infinity]);
  return Array.from({ length: markets }, (_, market): Step[] => {
    const state = (ms: number, to: number, delayMs = 0): Step => [ms, 'state', to, delayMs, market];
    const pauseMs = integerBetween(random, 20_000, 100_000);
    const again = isDrawn(random, 0.3);
    const delayMs = pick(random, [0, 1_000, 8_000]);
    const duringMs = playMs + integerBetween(random, 30_000, 150_000);
    const play =
      playMs === Infinity
        ? []
        : [
            ...(isDrawn(random, 0.8) ? [state(playMs - pick(random, [1_000, 15_000]), suspended)] : []),
            state(playMs, (isDrawn(random, 0.5) ? suspended : open) + inPlay, delayMs),
            state(playMs + 3_000, open + inPlay, delayMs),
            state(duringMs, suspended + inPlay, delayMs),
            state(duringMs + pick(random, [2_000, 50_000]), open + inPlay, pick(random, [delayMs, 8_000])),
          ];
    return [
      ...(isDrawn(random, 0.8) ? [state(0, open)] : []),
      ...(again ? [state(pauseMs, suspended), state(pauseMs + pick(random, [0, 1_000, 30_000]), open)] : []),
      ...play,
      ...(isDrawn(random, 0.7) ? [state(LENGTH_MS - 10_000, closed)] : []),
    ];
  }).flat();
}

function gapsOf(random: Random, markets: number): NonNullable<TapeOptions['gaps']> {
  return Array.from({ length: integerBetween(random, 0, 2) }, () => {
    const fromMs = integerBetween(random, 0, LENGTH_MS - 60_000);
    const toMs = fromMs + integerBetween(random, 1, 40_000);
    const market = integerBetween(random, -1, markets - 1);
    return market < 0 ? ([fromMs, toMs] as const) : ([fromMs, toMs, market] as const);
  }).toSorted(([a], [b]) => a - b);
}

/** Some runners leave, some of which are no selection; at times two at one instant. */
function removalsOf(random: Random, selections: Selections, markets: number): Removals {
  return Array.from({ length: integerBetween(random, 0, 4) }, () => {
    const market = integerBetween(random, 0, markets - 1);
    const own = selections.flatMap(({ market: of }, at) => (of === market ? [at] : []));
    return {
      atMs: pick(random, [50_000, 90_000, 150_000, integerBetween(random, 0, LENGTH_MS - 60_000)]),
      market,
      selection: isDrawn(random, 0.4) ? (pick(random, own.slice(2)) ?? null) : null,
      factor: pick(random, [null, 1, 2.49, 2.5, 3.9, 10, 30]),
    };
  }).toSorted((a, b) => a.atMs - b.atMs);
}

const RESULTS: readonly (Settlement | null)[] = [
  WIN,
  LOSS,
  LOSS,
  PUSH,
  HALF_WIN,
  HALF_LOSS,
  { won: 0.5, lost: 0.5 },
];

function settledOf(random: Random, selections: Selections): Selections {
  const known = pick(random, [0, 0.9, 1]);
  return selections.map((selection) => ({
    ...selection,
    settlement: isDrawn(random, known) ? pick(random, RESULTS) : null,
    ...(isDrawn(random, 0.5) ? { startingPrice: uniformBetween(random, 1.2, 8) } : {}),
  }));
}

/** When the first market turned in play. */
function playOf({ updates: { op, tick, atMs } }: EventTape): number | null {
  const row = op.findIndex((kind, at) => kind === OP.state && ((tick[at] ?? 0) & inPlay) !== 0);
  return row < 0 ? null : (atMs[row] ?? null);
}

/** The event of a number; the same each time. */
export function generatedEvent(number: number): EventTape {
  const random = seededRandom(1, `generated event ${number}`);
  const isRace = number % 3 === 2;
  const sport = isRace ? 'horse' : pick(random, ['fb', 'fb', 'fb_ht', 'cricket']);
  const { selections, markets, chances } = isRace ? race(random) : match(random, sport.startsWith('fb'));
  const steps = [...courseOf(random, chances), ...statesOf(random, markets.length)].toSorted(
    ([a], [b]) => a - b,
  );
  const tape = tapeOf([...steps, [LENGTH_MS, 'for', 50, 1, 0]], {
    selections: settledOf(random, selections),
    markets,
    gaps: gapsOf(random, markets.length),
    removals: isRace || isDrawn(random, 0.2) ? removalsOf(random, selections, markets.length) : [],
    startsInMs: pick(random, [100_000, 3_600_000]),
  });
  const inPlayMs = playOf(tape);
  return { ...tape, inPlayMs, event: { ...tape.event, sport: sportCode(sport) } };
}
