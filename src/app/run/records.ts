import { LAY_PRICES } from '../../domain/exchange-prices.ts';
import { fromMicros, type Micros } from '../../domain/money.ts';
import type { DaySums, FillRow, ProfitRow, Sample } from '../../history/facts.ts';
import type { HistoryReader } from '../../history/history.ts';
import { markedStakeMicros } from '../../ledger/index.ts';
import type { RecordSource } from '../../ops/dashboard/record-routes.ts';
import { fillSelectionName } from '../names.ts';
import { shownTerms } from '../../read-model/bet-terms.ts';
import type {
  RecordedDay,
  RecordedFill,
  RecordedProfit,
  TimelinePoint,
} from '../../read-model/live/records.ts';

/** The records of an account for pages; none without a history. Its questions throw HistoryError. */
export function recordsOf(
  reader: HistoryReader | null,
  orders: RecordSource['orders'],
  commissionRate: () => number,
): Omit<RecordSource, 'log' | 'findInLog'> {
  return {
    orders,
    timeline: (query) => reader?.samples(query).map(pointOf) ?? [],
    profits: (query) => reader?.profits(query).map(profitOf) ?? [],
    fills: (query) => reader?.fills(query).map(fillOf) ?? [],
    alerts: (query) => reader?.alerts(query) ?? [],
    days: ({ limit }) => reader?.byDay({ commissionRate: commissionRate() }).slice(0, limit).map(dayOf) ?? [],
  };
}

const profitOf = ({ atMs, of, name, title, profitMicros }: ProfitRow): RecordedProfit => ({
  atMs,
  of,
  name: title ?? name,
  profit: fromMicros(profitMicros),
});

const dayOf = ({ day, bets, stakeMicros, settledMicros, commissionMicros }: DaySums): RecordedDay => ({
  day,
  bets,
  stake: fromMicros(stakeMicros),
  settled: fromMicros(settledMicros),
  commission: fromMicros(commissionMicros),
  profit: fromMicros(settledMicros - commissionMicros),
});

function pointOf(sample: Sample): TimelinePoint {
  const { atMs, ordersOpen, wanted, quoted, twoSided } = sample;
  return {
    atMs,
    ordersOpen,
    wanted,
    quoted,
    twoSided,
    settled: fromMicros(sample.settledMicros),
    expected: fromMicros(sample.expectedMicros),
    worst: fromMicros(sample.worstMicros),
    gross: fromMicros(sample.grossMicros),
    openStake: fromMicros(sample.openStakeMicros),
  };
}

function fillOf(fill: FillRow): RecordedFill {
  const { betId, orderId, atMs, strategy, sport, eventId, selectionId, direction, role } = fill;
  const stakeMicros = markedStakeMicros(fill);
  const share = (micros: Micros | null): number | null =>
    micros === null || stakeMicros === 0 ? null : micros / stakeMicros;
  return {
    betId,
    orderId,
    atMs,
    strategy,
    sport,
    eventId,
    selectionId,
    direction,
    role,
    // The history keeps what a price was, and not on which betslip.
    ...shownTerms(fill, LAY_PRICES),
    event: fill.title ?? eventId,
    outcome: fillSelectionName(fill),
    voided: fill.voided,
    markout1: share(fill.markouts[1]),
    markout10: share(fill.markouts[10]),
    markout60: share(fill.markouts[60]),
  };
}
