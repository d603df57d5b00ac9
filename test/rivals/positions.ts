import type { SelectionId } from '../../src/domain/ids.ts';
import { KEY } from '../sim/compose-run.ts';
import { eventOf } from '../sim/selections.ts';
import type { Trader } from '../sim/trader.ts';
import type { World } from '../sim/world.ts';

/** Prices and stakes travel as decimals, each rounded separately. */
const ROUNDING_USDT = 0.01;
const MICROS = 1_000_000;
const DECIDED: ReadonlySet<string> = new Set(['settled', 'void']);

interface Position {
  readonly ifWin: number;
  readonly ifLose: number;
}

interface Total {
  readonly got_price: number | null;
  readonly got_stake: readonly [string, number];
}

/** The first selection whose position at a daemon differs from `GET /v2/orders/position/`; null for none. */
export function positionsDiffer(world: World, trader: Trader): string | null {
  const ledger = trader.run?.composed.parts.core.ledger;
  if (ledger === undefined) return 'no run is up';
  const there = exchangePositions(world);
  const here = ledger.selections().filter((id) => !world.isDecided(eventOf(id)));
  for (const id of new Set([...there.keys(), ...here])) {
    const { ifWinMicros, ifLoseMicros } = ledger.position(id as SelectionId);
    const { ifWin, ifLose } = there.get(id) ?? { ifWin: 0, ifLose: 0 };
    const isSame = isNear(ifWinMicros / MICROS, ifWin) && isNear(ifLoseMicros / MICROS, ifLose);
    if (!isSame)
      return `${id}: ${ifWinMicros / MICROS} and ${ifLoseMicros / MICROS} here, ${ifWin} and ${ifLose} there`;
  }
  return null;
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) < ROUNDING_USDT;

/** Positions on events that are not over, by selection. */
function exchangePositions(world: World): Map<string, Position> {
  const sums = new Map<string, Position>();
  const events = world.inspectEvents().filter(({ phase }) => !DECIDED.has(phase ?? ''));
  for (const { sport, eventId } of events)
    for (const [betType, total] of totalsOf(world, sport, eventId))
      add(sums, `${sport}|${eventId}`, betType, total);
  return sums;
}

function add(
  sums: Map<string, Position>,
  event: string,
  betType: string,
  { got_price, got_stake }: Total,
): void {
  const [direction = '', ...outcome] = betType.split(',');
  const id = `${event}|${outcome.join(',')}`;
  const sign = direction === 'for' ? 1 : -1;
  const { ifWin, ifLose } = sums.get(id) ?? { ifWin: 0, ifLose: 0 };
  const stake = sign * got_stake[1];
  sums.set(id, { ifWin: ifWin + stake * ((got_price ?? 1) - 1), ifLose: ifLose - stake });
}

function totalsOf(world: World, sport: string, eventId: string): readonly (readonly [string, Total])[] {
  const query = new URLSearchParams({ sport, event_id: eventId });
  const request = {
    method: 'GET',
    target: `/v2/orders/position/?${query.toString()}`,
    apiKey: KEY,
    body: '',
  };
  const { body, release } = world.exchange.request(request, world.clock.wallMs());
  release?.();
  const { data } = JSON.parse(body) as { readonly data: { readonly totals: Record<string, Total> } };
  return Object.entries(data.totals);
}
