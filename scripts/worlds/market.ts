/** The market of both worlds: one flow of orders that no account can bend, with stake in it that nobody is shown. */
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import { type Direction, opposite } from '../../src/domain/selection.ts';
import { type Random, seededRandom, uniformBetween } from '../../src/lib/random.ts';
import type { Feed, Market, SimOutcome } from '../../src/simulator/core/api.ts';
import { createExchange } from '../../src/simulator/core/exchange.ts';
import { observedFeed } from '../../src/simulator/core/observed-feed.ts';

/** The calls that change a market. */
const ACTS = [
  'putEvent',
  'removeEvent',
  'goInRunning',
  'setSuspended',
  'setPaused',
  'setBetDelay',
  'setScore',
  'setRedCards',
  'setTime',
  'removeRunner',
  'settle',
  'voidEvent',
  'clear',
  'recover',
  'setLevel',
  'setOffer',
  'setMinimum',
  'hide',
  'followRecording',
  'clearLevels',
  'take',
  'trade',
  'tradeOffer',
  'takeOffer',
] as const satisfies readonly (keyof Market)[];

const READS = [
  'levels',
  'offered',
  'isSuspended',
  'isInRunning',
] as const satisfies readonly (keyof Market)[];

/** Stake that takers of one side took. */
export interface MarketTrade {
  /** `sport|event|outcome`. */
  readonly key: string;
  readonly taker: Direction;
  readonly atMs: number;
}

export interface Undisturbed {
  readonly feed: Feed;
  readonly market: Pick<Market, 'levels' | 'isSuspended'>;
  /** Every outcome that ever had stake. */
  readonly outcomes: ReadonlyMap<string, SimOutcome>;
  readonly trades: readonly MarketTrade[];
}

/**
 * The feed, and a market of its own on which no account trades. All that the feed learns of prices and of what its takers got is of that
 * market, so it does the same whoever trades on the other.
 */
export function undisturbed(feed: Feed, startMs: number): Undisturbed {
  const alone = createExchange({
    accounts: [],
    feeds: [],
    parseBetType,
    random: seededRandom(0, 'nobody trades here'),
    startMs,
  });
  const { market } = alone;
  const bound = (of: Market, name: keyof Market) => (of[name] as (...args: unknown[]) => unknown).bind(of);
  const outcomes = new Map<string, SimOutcome>();
  const trades: MarketTrade[] = [];
  const both = (traded: Market): Partial<Market> => {
    const act = (name: keyof Market) => {
      const [first, second] = [bound(market, name), bound(traded, name)];
      return (...args: unknown[]) => {
        const answer = first(...args);
        second(...args);
        return answer;
      };
    };
    return Object.fromEntries([
      ...ACTS.map((name) => [name, act(name)] as const),
      ...READS.map((name) => [name, bound(market, name)] as const),
    ]) as Partial<Market>;
  };
  const noting = observedFeed(feed, (inner) => ({
    setLevel(participant, at, ...level) {
      outcomes.set(keyOf(at), at);
      inner.setLevel(participant, at, ...level);
    },
    take(at, taker, limitPrice, stakeMicros, atMs) {
      const takenMicros = inner.take(at, taker, limitPrice, stakeMicros, atMs);
      if (takenMicros > 0) trades.push({ key: keyOf(at), taker, atMs });
      return takenMicros;
    },
    trade(at, resting, price, stakeMicros, atMs) {
      trades.push({ key: keyOf(at), taker: opposite(resting), atMs });
      return inner.trade(at, resting, price, stakeMicros, atMs);
    },
  }));
  return { feed: observedFeed(noting, both), market, outcomes, trades };
}

const keyOf = ({ sport, eventId, outcome }: SimOutcome): string => `${sport}|${eventId}|${outcome}`;

/** The part of levels that have hidden stake as well, and how much, as a multiple of what is shown. */
const [HIDDEN_SHARE, HIDDEN_SIZE] = [0.25, [0.3, 1] as const];

const hiddenOf = (participant: string): string => `${participant}, hidden`;

/** The feed, with hidden stake behind a part of its levels: it is matched like any other, and no offer shows it. */
export function withHiddenStake(feed: Feed, seed: number): Feed {
  return observedFeed(feed, (market) => hiding(market, seededRandom(seed, 'hidden stake')));
}

function hiding(market: Market, random: Random): Partial<Market> {
  const hidden = new Set<string>();
  const hide = (participant: string): string => {
    const name = hiddenOf(participant);
    if (!hidden.has(name)) market.hide(name);
    hidden.add(name);
    return name;
  };
  return {
    setLevel(participant, at, resting, price, stakeMicros, nowMs) {
      market.setLevel(participant, at, resting, price, stakeMicros, nowMs);
      const part = random.next() < HIDDEN_SHARE ? uniformBetween(random, ...HIDDEN_SIZE) : 0;
      market.setLevel(hide(participant), at, resting, price, Math.round(stakeMicros * part), nowMs);
    },
    clearLevels(participant: string, at: SimOutcome, nowMs: number) {
      market.clearLevels(participant, at, nowMs);
      market.clearLevels(hiddenOf(participant), at, nowMs);
    },
  };
}
