import { tickOf } from '../../../src/domain/ladder.ts';
import { isBetter } from '../../../src/domain/odds.ts';
import { bestLevel, type PriceList } from '../../../src/domain/price-list.ts';
import type { GateContext } from '../../../src/orders/gate-context.ts';
import type { HaltCode } from '../../../src/orders/send-gate.ts';

/** The gravest first. */
export const HALT_CODES: readonly HaltCode[] = [
  ...(['stopped', 'latched', 'invariant_broken', 'journal_failed', 'draining'] as const),
  ...(['key_refused', 'kill_unfinished', 'engine_hangs', 'not_started', 'another_installation'] as const),
  ...(['heartbeat_of_another_process', 'stream_not_synced', 'stream_closed'] as const),
  ...(['stream_distrusted', 'resync_under_way', 'recovering_from_close_out'] as const),
  ...([
    'order_closed_by_others',
    'watching_the_account',
    'heartbeat_of_an_earlier_run',
    'convention_unproven',
  ] as const),
];

/** The code of the first refusal, from checks in plain sequence, without the table. */
export function codeAskedInSequence(of: GateContext): string | null {
  const halt = HALT_CODES.find((code) => of.halts.has(code));
  if (halt !== undefined) return halt;
  const remainingMs = Math.max(0, of.heartbeat.provenUntilMs - of.nowMonotonicMs);
  if (!of.heartbeat.isConfirmed || remainingMs <= of.heartbeat.reserveMs) return 'heartbeat';
  if (of.repeats !== null && of.repeats !== 'unknown') return 'known_by_now';
  if (!of.isWanted) return 'not_wanted';
  if (typeof of.firstFill === 'string') return 'first_fill_unchecked';
  if (!of.hasMarket) return 'no_market';
  if (!of.betslip.ok) return of.betslip.code;
  if (of.betslip.betslip.id !== of.namedBetslip) return 'betslip_replaced';
  return priceCode(of, of.betslip.betslip.quote) ?? (of.risk.isRefused ? 'risk' : null);
}

function priceCode({ order, market, offers, own, limits }: GateContext, quote: PriceList): string | null {
  if (market === null) return 'market_stale';
  const takes = (list: PriceList): boolean => {
    const best = bestLevel(order.direction, list);
    return best !== undefined && order.tick - (tickOf(best.price) as number) < limits.postOnlyMarginTicks;
  };
  if ([market, quote, offers ?? []].some(takes)) return 'would_take';
  const crosses = own.some(
    ({ direction, tick }) => direction !== order.direction && !isBetter(order.priceKind, order.tick, tick),
  );
  return crosses ? 'would_cross_own' : null;
}
