import { eventKey } from '../../domain/events.ts';
import { lastResults } from '../../engine/risk-inputs/bet-records.ts';
import { RiskMemory } from '../../engine/risk-inputs/risk-memory.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { HistoryFact } from '../../history/facts.ts';
import { foldJournal } from '../../orders/journal/checkpoint.ts';
import { type Fact, factOf } from '../../orders/journal/records.ts';
import type { Journal } from '../../ports/journal.ts';
import { factOfPaperFill, paperFillsIn } from '../paper/paper-fills.ts';
import { MoneyRecords } from './money-records.ts';

const INTENDED: Fact['kind'] = 'order_intended';
const BOOKED: Fact['kind'] = 'fill_booked';

/**
 * The facts of the history that a journal still holds: fills, results, deposits and the last reconciliation. It holds no title of an
 * event and no fair probability. Throws JournalError on damage.
 */
export function factsIn(journal: Journal): readonly HistoryFact[] {
  const { settled, standing } = new RiskMemory(journal).load();
  const money = new MoneyRecords(journal);
  const last = money.state()?.last;
  return [
    ...fillsIn(journal),
    ...paperFillsIn(journal).map(factOfPaperFill),
    ...Array.from(standing, ([betId, stands]): HistoryFact => ({ kind: 'validity', betId, stands })),
    ...lastResults(settled).map((record): HistoryFact => {
      const { orderId, sport, eventId, profitLossMicros: profitMicros, reportedMs: atMs } = record;
      if (record.now === 'reopened') return { kind: 'reopened', orderId };
      return {
        kind: 'result',
        result: { orderId, sport, eventId, profitMicros, atMs: Math.round(atMs), lastFair: null },
      };
    }),
    ...money.deposits().map((deposit): HistoryFact => ({ kind: 'deposit', deposit })),
    ...(last === undefined ? [] : [{ kind: 'reconciliation', reconciliation: last } as const]),
  ];
}

/** Fills of the last checkpoint are older than every record that retention has left. */
function fillsIn(journal: Journal): readonly HistoryFact[] {
  const { fills, owners, orders } = foldJournal(journal);
  const found = new Map(fills);
  for (const record of journal.ofKind(BOOKED)) {
    const fact = factOf(record);
    if (fact.kind === 'fill_booked') found.set(fact.fill.betId, fact.fill);
  }
  const strategies = new Map(Array.from(orders.values(), ({ intended }) => [intended.uuid, intended.owner]));
  for (const record of journal.ofKind(INTENDED)) {
    const fact = factOf(record);
    if (fact.kind === 'order_intended') strategies.set(fact.uuid, fact.owner);
  }
  const strategyOf = ({ requestUuid, sport, eventId }: Fill): string | null => {
    if (requestUuid === null) return null;
    const owned = owners.get(eventKey({ sport, eventId }));
    return strategies.get(requestUuid) ?? owned?.owner ?? null;
  };
  return Array.from(found.values(), (fill): HistoryFact => {
    const { betId, orderId, sport, eventId, selectionId, direction, priceKind, price, stakeMicros, role } =
      fill;
    const bet = {
      betId,
      orderId,
      sport,
      eventId,
      selectionId,
      direction,
      priceKind,
      price,
      stakeMicros,
      role,
    };
    return {
      kind: 'fill',
      fill: { ...bet, atMs: Math.round(fill.atMs), strategy: strategyOf(fill), fair: null },
    };
  });
}
