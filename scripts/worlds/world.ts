/** The exchange of one world. */
import { accountsOf } from '../../src/app/simulated/simulation.ts';
import { parseBetType } from '../../src/domain/bet-types/index.ts';
import { logit, type PriceConvention, priceOfLogOdds } from '../../src/domain/odds.ts';
import { seededRandom } from '../../src/lib/random.ts';
import { type Clock, repeat } from '../../src/ports/clock.ts';
import type { SocketTransport } from '../../src/ports/transport.ts';
import type { Feed } from '../../src/simulator/core/api.ts';
import { createExchange, type Exchange } from '../../src/simulator/core/exchange.ts';
import { loadBetfairRecording } from '../../src/app/simulated/recorded-market.ts';
import { createBetfairFeed } from '../../src/simulator/feeds/betfair/index.ts';
import { createModelFeed } from '../../src/simulator/feeds/model/index.ts';
import { watchOffers } from './shown.ts';
import { type Undisturbed, undisturbed, withHiddenStake } from './market.ts';

export interface WorldChoice {
  readonly key: string;
  readonly seed: number;
  /** Wall-clock milliseconds at which the market begins, in both worlds. */
  readonly startMs: number;
  /** The kind of `against` prices; a recorded market keeps lay prices. */
  readonly convention: PriceConvention;
  /** The distance of quotes from the middle, in log-odds; null joins the best prices. */
  readonly halfSpread: number | null;
  /** A market that was recorded, in the place of the modelled one. */
  readonly recorded: { readonly file: string; readonly fromMs: number | null } | null;
}

export interface World {
  readonly core: Exchange;
  readonly undisturbed: Undisturbed;
}

/** The prices that both daemons quote on a selection, as a row of the price source `file`. Prices are of the selection. */
export interface ToldQuote {
  /** The selection: `sport|event|outcome`. */
  readonly key: string;
  readonly for: number;
  readonly against: number;
  /** The fair price of the undisturbed market. */
  readonly fair: number;
  /** Wall-clock milliseconds. */
  readonly time: number;
}

/** Quotes are told when the exchange shows an event's offers, and again after this time: a price that nobody repeats gets old. */
const TELL_EVERY_MS = 2_000;

/** The key that watches when offers are shown. */
const WATCHER = 'watcher';

/** Of the modelled market at any time. */
const EVENTS = 7;
const BALANCE_USDT = 10_000_000;

export async function openWorld(choice: WorldChoice): Promise<World> {
  const { startMs, seed, key, convention: priceConvention } = choice;
  const market = undisturbed(withHiddenStake(await feedOf(choice), seed), startMs);
  const core = createExchange({
    accounts: accountsOf([key, WATCHER], BALANCE_USDT),
    feeds: [market.feed],
    parseBetType,
    random: seededRandom(seed, `ids of ${key}`),
    startMs,
    settings: { eventStakeLimitMicros: null, priceConvention },
  });
  return { core, undisturbed: market };
}

async function feedOf({ seed, recorded, startMs }: WorldChoice): Promise<Feed> {
  if (recorded === null) return createModelFeed({ seed, speed: 1, startWallMs: startMs, events: EVENTS });
  const recording = await loadBetfairRecording(recorded.file);
  return createBetfairFeed({ recording, fromMs: recorded.fromMs, speed: 1, startWallMs: startMs });
}

/** Tells the rows of an event as a strategy could want them that follows what the exchange shows. */
export function tellQuotes(
  { undisturbed: market }: World,
  { sockets, clock, halfSpread }: { sockets: SocketTransport; clock: Clock; halfSpread: number | null },
  tell: (rows: readonly ToldQuote[]) => void,
): void {
  const told = new Map<string, readonly ToldQuote[]>();
  const say = (event: string, rows: readonly ToldQuote[]): void => {
    told.set(event, rows);
    if (rows.length > 0) tell(rows);
  };
  watchOffers(sockets, WATCHER, (event) => say(event, toldQuotes(market, event, halfSpread, clock.wallMs())));
  repeat(clock, TELL_EVERY_MS, () => {
    const nowMs = clock.wallMs();
    for (const [event, rows] of told)
      if (rows.some(({ time }) => nowMs - time >= TELL_EVERY_MS))
        say(
          event,
          rows.map((row) => ({ ...row, time: nowMs })),
        );
  });
}

/**
 * The quotes on each selection of an event that has prices: in the undisturbed market, they join the best of their own side, or stand `halfSpread`
 * from the middle, in log-odds.
 */
function toldQuotes(
  { market, outcomes }: Undisturbed,
  event: string,
  halfSpread: number | null,
  nowMs: number,
): readonly ToldQuote[] {
  return Array.from(outcomes).flatMap(([key, at]) => {
    if (!key.startsWith(`${event}|`) || market.isSuspended(at)) return [];
    const [back, lay] = [market.levels(at, 'against')[0]?.price, market.levels(at, 'for')[0]?.price];
    if (back === undefined || lay === undefined || back <= 1 || lay <= 1) return [];
    const middle = (logit(1 / back) + logit(1 / lay)) / 2;
    const fair = priceOfLogOdds(middle);
    if (halfSpread === null) return [{ key, for: lay, against: back, fair, time: nowMs }];
    const [low, high] = [priceOfLogOdds(middle - halfSpread), priceOfLogOdds(middle + halfSpread)];
    return [{ key, for: low, against: high, fair, time: nowMs }];
  });
}
