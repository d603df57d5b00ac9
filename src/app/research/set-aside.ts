/** Whole match days of the data that are set aside, so that a last judgement has data that nobody has tried. */
import { TouchlineError } from '../../domain/errors.ts';
import { seededRandom } from '../../lib/random.ts';
import type { EventTape } from '../../research/tape.ts';
import { marketData } from './market-data.ts';
import { enterSplit, marketNames, type Split, splitsIn } from './run-ledger.ts';

export interface SplitChoice {
  readonly data: readonly string[];
  /** The least share of the events to set aside. */
  readonly share: number;
  /** Draws the days. */
  readonly seed: number;
  /** The folder of the ledger of runs. */
  readonly ledger: string;
  readonly nowMs: number;
}

export interface SplitSummary {
  readonly events: number;
  readonly days: number;
  readonly asideEvents: number;
  readonly asideDays: number;
}

interface DatedEvent {
  readonly day: string;
  readonly markets: readonly string[];
}

/**
 * Draws days until they hold the share of the events, and enters them in the ledger: from then on backtests leave them out, whatever the
 * files are called. Rejects with TouchlineError if any of the markets is split already, or if all days would be set aside.
 */
export async function setAside({ data, share, seed, ledger, nowMs }: SplitChoice): Promise<SplitSummary> {
  const events: DatedEvent[] = [];
  for await (const tape of (await marketData(data)).tapes())
    events.push({ day: new Date(tape.startMs).toISOString().slice(0, 10), markets: marketNames(tape) });
  refuseSplit(events, splitsIn(ledger));
  const days = [...new Set(events.map(({ day }) => day))].sort();
  const asideDays = drawnDays(events, days, share, seed);
  if (asideDays.size === days.length)
    throw new TouchlineError('usage', `${days.length} match days cannot be split: a share of them must stay`);
  const isAside = ({ day }: DatedEvent): boolean => asideDays.has(day);
  const marketsOf = (some: readonly DatedEvent[]): string[] => some.flatMap(({ markets }) => markets);
  const aside = events.filter(isAside);
  enterSplit(ledger, {
    atMs: nowMs,
    aside: marketsOf(aside),
    kept: marketsOf(events.filter((event) => !isAside(event))),
  });
  return { events: events.length, days: days.length, asideEvents: aside.length, asideDays: asideDays.size };
}

function refuseSplit(events: readonly DatedEvent[], splits: readonly Split[]): void {
  const markets = new Set(events.flatMap((event) => event.markets));
  const before = splits.find(({ aside, kept }) => [...aside, ...kept].some((market) => markets.has(market)));
  if (before === undefined) return;
  const when = new Date(before.atMs).toISOString();
  throw new TouchlineError(
    'usage',
    `these data were split at ${when}: another split would show what is set aside; split new data alone`,
  );
}

function drawnDays(
  events: readonly DatedEvent[],
  days: readonly string[],
  share: number,
  seed: number,
): ReadonlySet<string> {
  const random = seededRandom(seed, 'split');
  const order = days.map((day) => ({ day, at: random.next() })).sort((a, b) => a.at - b.at);
  const drawn = new Set<string>();
  for (const { day } of order) {
    if (events.filter((event) => drawn.has(event.day)).length >= share * events.length) break;
    drawn.add(day);
  }
  return drawn;
}

/** Whether a tape is set aside. */
export function asideIn(splits: readonly Split[]): (tape: EventTape) => boolean {
  const aside = new Set(splits.flatMap((split) => split.aside));
  return (tape) => marketNames(tape).some((market) => aside.has(market));
}
