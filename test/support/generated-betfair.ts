/** Files in Betfair's format that a generator writes, with what it knows of their markets: a match, or a meeting with two races. */
import { type Random, integerBetween, seededRandom } from '../../src/lib/random.ts';
import { FIRST_MS } from './betfair-lines.ts';

export interface GeneratedRunner {
  readonly id: number;
  readonly hc: number;
  /** The bet type without its direction; null for a runner without. */
  readonly outcome: string | null;
}

export interface GeneratedMarket {
  readonly id: string;
  readonly type: string;
  /** In the order of their priorities. */
  readonly runners: readonly GeneratedRunner[];
  readonly winners: number;
  readonly start: string;
  /** The statuses of the runners in the end. */
  readonly statuses: readonly string[];
  /** Which levels the file tells. */
  readonly source: 'whole' | 'ranks' | 'takers' | 'ranks, then whole';
}

/** The markets of one event on the exchange. */
export interface GeneratedEvent {
  readonly sport: string;
  readonly eventName: string;
  readonly numbers: string;
  readonly markets: readonly GeneratedMarket[];
}

type Change = Record<string, unknown> & { readonly id: string };

export interface GeneratedMessage {
  readonly pt: number;
  readonly mc: readonly Change[];
}

export interface GeneratedFile {
  readonly events: readonly GeneratedEvent[];
  readonly messages: readonly GeneratedMessage[];
}

export const linesOf = ({ messages }: GeneratedFile): string[] =>
  messages.map((message) => JSON.stringify({ op: 'mcm', ...message }));

const pick = <T>(random: Random, items: readonly T[]): T =>
  items[integerBetween(random, 0, items.length - 1)] as T;
const isDrawn = (random: Random, chance: number): boolean => random.next() < chance;

const SOURCES = ['whole', 'whole', 'ranks', 'takers', 'ranks, then whole'] as const;
const START = '2026-01-03T15:00:00.000Z';
const [HOME, AWAY, DRAW] = [11, 22, 58805];

const statusOf = (isWon: boolean): string => (isWon ? 'WINNER' : 'LOSER');

/** A match in which home lies ahead by a margin. */
function matchOf(random: Random): GeneratedEvent {
  const isAwayFirst = isDrawn(random, 0.3);
  const [home, away] = [pick(random, [0, 1, 2]), pick(random, [0, 1, 2])];
  const teams = isAwayFirst ? [AWAY, HOME] : [HOME, AWAY];
  const sideOf = (id: number): string => (id === HOME ? 'h' : 'a');
  const isAhead = (id: number): boolean => (id === HOME ? home > away : away > home);
  const lines = [-1, -0.75, 0, 0.25, 0.5].filter(() => isDrawn(random, 0.6));
  const lineRunners = lines.flatMap((line) =>
    teams.map((id) => ({ id, hc: id === HOME ? line : 0 - line, outcome: `ah,${sideOf(id)},${4 * line}` })),
  );
  const market = (
    id: string,
    type: string,
    runners: readonly GeneratedRunner[],
    statuses: readonly string[],
  ): GeneratedMarket => ({
    id,
    type,
    runners,
    statuses,
    winners: 1,
    start: START,
    source: pick(random, SOURCES),
  });
  const all = [
    market(
      '1.101',
      'MATCH_ODDS',
      [...teams.map((id) => ({ id, hc: 0, outcome: sideOf(id) })), { id: DRAW, hc: 0, outcome: 'd' }],
      [...teams.map((id) => statusOf(isAhead(id))), statusOf(home === away)],
    ),
    market(
      '1.102',
      'OVER_UNDER_25',
      [
        { id: 1, hc: 0, outcome: 'under,2.5' },
        { id: 2, hc: 0, outcome: 'over,2.5' },
      ],
      [statusOf(home + away < 3), statusOf(home + away > 2)],
    ),
    // Sides that win or lose a part count as winner or loser; of a level line both are losers.
    market(
      '1.103',
      'ASIAN_HANDICAP',
      lineRunners,
      lineRunners.map(({ id, hc }) => statusOf((id === HOME ? home - away : away - home) + hc > 0)),
    ),
    market('1.104', 'SOMETHING_ELSE', [{ id: 7, hc: 0, outcome: null }], ['WINNER']),
  ];
  return {
    sport: 'fb',
    eventName: isAwayFirst ? 'Away @ Home' : 'Home v Away',
    numbers: `${HOME},${AWAY}`,
    markets: all.filter(({ runners }, at) => runners.length > 0 && (at === 0 || isDrawn(random, 0.7))),
  };
}

/** Two races of a meeting, half an hour apart. Their places may start a minute later. */
function racesOf(random: Random): GeneratedEvent[] {
  return [0, 1].map((number) => {
    const startMs = Date.parse(START) + number * 1_800_000;
    const ids = [1, 2, 3, 4, 5].map((id) => 100 * (number + 1) + id);
    const removed = new Set(ids.slice(3).filter(() => isDrawn(random, 0.5)));
    const winners = pick(random, [1, 1, 2]);
    const placed = pick(random, [2, 2, 3]);
    const statuses = (most: number): string[] =>
      ids.map((id, at) => (removed.has(id) ? 'REMOVED' : statusOf(at < most)));
    const market = (
      at: number,
      type: string,
      family: string,
      places: number,
      won: number,
    ): GeneratedMarket => ({
      id: `1.${200 + 10 * number + at}`,
      type,
      runners: ids.map((id) => ({ id, hc: 0, outcome: `${family},${id}` })),
      winners: places,
      start: new Date(startMs + at * pick(random, [0, 60_000])).toISOString(),
      statuses: statuses(won),
      source: pick(random, SOURCES),
    });
    return {
      sport: 'horse',
      eventName: 'Ascot',
      numbers: `41,${Math.floor((startMs % 86_400_000) / 1000)}`,
      markets: [
        market(0, 'WIN', 'win', 1, winners),
        ...(isDrawn(random, 0.8) ? [market(1, 'PLACE', 'top,2', 2, placed)] : []),
      ],
    };
  });
}

/** The definition of a market at a stage of its life. Later ones leave out some members and some runners. */
class Definitions {
  readonly #random: Random;
  readonly #event: GeneratedEvent;
  readonly #market: GeneratedMarket;
  readonly #hasNames: boolean;
  readonly #gone = new Set<number>();
  #state: Record<string, unknown> = { status: 'OPEN', inPlay: false, betDelay: 0 };
  #isFirst = true;

  constructor(random: Random, event: GeneratedEvent, market: GeneratedMarket) {
    [this.#random, this.#event, this.#market] = [random, event, market];
    this.#hasNames = isDrawn(random, 0.5);
  }

  /** After a step of its life: a suspension, play, a new delay, a removal or a close that is not the last. */
  next(nowMs: number): object {
    const random = this.#random;
    const step = integerBetween(random, 0, 6);
    if (step <= 1) this.#state = { ...this.#state, status: pick(random, ['OPEN', 'SUSPENDED']) };
    else if (step === 2) this.#state = { ...this.#state, inPlay: true, betDelay: pick(random, [0, 5]) };
    else if (step === 3) this.#state = { ...this.#state, betDelay: pick(random, [0, 5, 8]) };
    else if (step === 4) this.#state = { ...this.#state, status: pick(random, ['CLOSED', 'OPEN', 'OPEN']) };
    else this.#remove();
    return this.#made(nowMs, isDrawn(random, 0.5));
  }

  first(nowMs: number): object {
    return this.#made(nowMs, false);
  }

  last(nowMs: number): object {
    this.#state = { ...this.#state, status: 'CLOSED' };
    for (const { id, status } of this.#all()) if (status === 'REMOVED') this.#gone.add(id);
    return this.#made(nowMs, false, true);
  }

  #all(): { readonly id: number; readonly status: string }[] {
    const { runners, statuses } = this.#market;
    return runners.map(({ id }, at) => ({ id, status: statuses[at] ?? '' }));
  }

  #remove(): void {
    const leaving = this.#all().find(({ id, status }) => status === 'REMOVED' && !this.#gone.has(id));
    if (leaving !== undefined) this.#gone.add(leaving.id);
  }

  #made(nowMs: number, isShort: boolean, isLast = false): object {
    const { runners, statuses, type, winners, start } = this.#market;
    const random = this.#random;
    const listed = runners.map(({ id, hc }, at) => ({
      id,
      ...(hc === 0 && isDrawn(random, 0.5) ? {} : { hc }),
      sortPriority: at + 1,
      status: this.#gone.has(id) ? 'REMOVED' : isLast ? statuses[at] : 'ACTIVE',
      ...(this.#gone.has(id) ? { adjustmentFactor: id % 10 === 4 ? 2 : 20 } : {}),
      ...(this.#gone.has(id) && id % 2 === 0
        ? { removalDate: new Date(nowMs - 5_000 + (id % 3) * 5_000).toISOString() }
        : {}),
      ...(isLast && at === 0 ? { bsp: 3.25 } : isLast && at === 1 ? { bsp: 'NaN' } : {}),
      ...(this.#hasNames && type === 'MATCH_ODDS' && this.#isFirst ? { name: NAMES.get(id) } : {}),
    }));
    this.#isFirst = false;
    const shown = isShort ? listed.filter(() => isDrawn(random, 0.5)) : listed;
    if (isShort) return { ...this.#state, runners: shown };
    return {
      eventId: this.#event.sport === 'fb' ? '31' : '41',
      eventTypeId: this.#event.sport === 'fb' ? '1' : '7',
      eventName: this.#event.eventName,
      marketType: type,
      marketTime: start,
      numberOfWinners: winners,
      marketBaseRate: 5,
      betDelayModels: ['PASSIVE'],
      ...this.#state,
      // The priorities tell the order, not the list.
      runners: shown.toReversed(),
    };
  }
}

const NAMES = new Map([
  [HOME, 'Home'],
  [AWAY, 'Away'],
  [DRAW, 'The Draw'],
]);

/** Prices of the ladder, and some between. */
const PRICES = [1.9, 1.95, 2, 2.02, 2.06, 2.1, 2.01, 2.05] as const;
const SIZES = [0, 0, 2, 5.25, 10, 30] as const;

function levelsOf(random: Random): [number, number][] {
  return PRICES.filter(() => isDrawn(random, 0.3)).map((price) => [price, pick(random, SIZES)]);
}

const ranksOf = (random: Random): [number, number, number][] =>
  [0, 1, 2]
    .filter(() => isDrawn(random, 0.5))
    .map((rank) => [rank, pick(random, PRICES), pick(random, SIZES)]);

/** Traded volume: it grows, and now and then it falls. */
class Volumes {
  readonly #random: Random;
  readonly #totals = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random;
  }

  next(key: string): [number, number][] {
    const price = pick(this.#random, [1.9, 2, 2.02, 2.04, 2.1, 2.5]);
    const before = this.#totals.get(`${key} ${price}`) ?? 0;
    const total = Math.max(0, before + pick(this.#random, [0, 4, 10.5, 30, 30, -3]));
    this.#totals.set(`${key} ${price}`, total);
    return [[price, total]];
  }
}

function runnerChange(
  random: Random,
  { source }: GeneratedMarket,
  { id, hc }: GeneratedRunner,
  isLate: boolean,
  volumes: Volumes,
): object {
  const key = `${id} ${hc}`;
  const [back, lay] = [levelsOf(random), levelsOf(random).map(([price, size]) => [price + 1, size])];
  const [backRanks, layRanks] = [
    ranksOf(random),
    ranksOf(random).map(([rank, price, size]) => [rank, price + 1, size]),
  ];
  const isWhole = source === 'whole' || (source === 'ranks, then whole' && isLate);
  return {
    id,
    ...(hc === 0 ? {} : { hc }),
    ...(isWhole ? { atb: back, atl: lay } : {}),
    // Where there is something better, they do not count.
    ...(source !== 'takers' && isDrawn(random, 0.7) ? { batb: backRanks, batl: layRanks } : {}),
    ...(isDrawn(random, 0.7) ? { bdatb: ranksOf(random), bdatl: layRanks.toReversed() } : {}),
    ...(isDrawn(random, 0.4) ? { trd: volumes.next(key) } : {}),
  };
}

const MESSAGES = 40;

/** The file of a number; the same each time. */
export function generatedFile(number: number): GeneratedFile {
  const random = seededRandom(1, `generated file ${number}`);
  const events = number % 2 === 0 ? [matchOf(random)] : racesOf(random);
  const all = events.flatMap((event) =>
    event.markets.map((market) => ({
      market,
      definitions: new Definitions(random, event, market),
      volumes: new Volumes(random),
    })),
  );
  let pt = FIRST_MS;
  const messages: GeneratedMessage[] = [
    {
      pt,
      mc: all.map(({ market, definitions }) => ({
        id: market.id,
        img: true,
        marketDefinition: definitions.first(pt),
      })),
    },
  ];
  for (let at = 0; at < MESSAGES; at++) {
    pt += pick(random, [0, 1, 50, 1_000, 20_000]);
    const changed = all.filter(() => isDrawn(random, 0.5));
    const mc = changed.map(({ market, definitions, volumes }): Change => {
      const runners = market.runners.filter(() => isDrawn(random, 0.5));
      return {
        id: market.id,
        ...(isDrawn(random, 0.06) ? { img: true } : {}),
        ...(isDrawn(random, 0.25) ? { marketDefinition: definitions.next(pt) } : {}),
        rc: runners.map((runner) => runnerChange(random, market, runner, at > MESSAGES / 2, volumes)),
      };
    });
    messages.push({ pt, mc });
  }
  pt += 1_000;
  messages.push({
    pt,
    mc: all.map(({ market, definitions }) => ({ id: market.id, marketDefinition: definitions.last(pt) })),
  });
  return { events, messages };
}
