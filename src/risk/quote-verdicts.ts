import type { Refusal } from '../domain/approval.ts';
import type { SelectionId } from '../domain/ids.ts';
import { priceOf } from '../domain/ladder.ts';
import type { PlaceOrder } from '../domain/orders.ts';
import { kindOfIntent, type QuoteIntent } from '../domain/quote-intent.ts';
import { type Direction, DIRECTIONS, selectionOf } from '../domain/selection.ts';
import type { Admission, BlockedQuote } from './admission.ts';
import type { Bet } from './exposure/payoffs.ts';
import type { ActiveAlarm } from './guards/alarm.ts';
import type { EffectiveState } from './states/trading-states.ts';
import { LatestVerdicts, reasonsOf, type StageVerdict, type WantedQuote, type WhyReport } from './why.ts';

/** Records risk's verdict on each quote, for `why` and the counters. */
export class QuoteVerdicts {
  readonly why = new LatestVerdicts();
  readonly refusals = new Map<string, number>();

  onAdmission(
    selectionIds: readonly SelectionId[],
    intents: readonly QuoteIntent[],
    { blocked }: Admission,
    atMs: number,
  ): void {
    for (const id of selectionIds) {
      this.why.want(id, intents.filter(({ selectionId }) => selectionId === id).map(wantedOf));
      for (const direction of DIRECTIONS) this.#forgetEarlier(id, direction);
    }
    for (const quote of blocked) this.why.note(quote.intent.selectionId, verdictOf(quote, atMs));
  }

  onApproved({ selectionId, direction }: Bet): void {
    this.why.clear(selectionId, 'risk', direction);
  }

  onRefused(
    order: PlaceOrder,
    direction: Direction | null,
    refusals: readonly Refusal[],
    atMs: number,
  ): void {
    for (const { code } of refusals) this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
    const selection = selectionOf(order.sport, order.eventId, order.betType);
    const [first] = refusals;
    if (selection === null || first === undefined) return;
    this.why.note(selection.id, { ...first, stage: 'risk', direction, atMs });
  }

  report(selectionId: SelectionId, state: EffectiveState, alarms: readonly ActiveAlarm[]): WhyReport {
    const verdicts = this.why.verdicts(selectionId);
    const wanted = this.why.wanted(selectionId);
    return { selectionId, wanted, verdicts, reason: reasonsOf(verdicts), state, alarms };
  }

  forget(selectionId: SelectionId): void {
    this.why.forget(selectionId);
  }

  /** Drops the verdicts of the last admission, and the refusals of quotes that are no longer wanted. */
  #forgetEarlier(selectionId: SelectionId, direction: Direction): void {
    this.why.clear(selectionId, 'state', direction);
    this.why.clear(selectionId, 'guard', direction);
    const isWanted = this.why.wanted(selectionId).some((quote) => quote.direction === direction);
    if (!isWanted) this.why.clear(selectionId, 'risk', direction);
  }
}

function wantedOf(intent: QuoteIntent): WantedQuote {
  const { direction, level, tick, stakeMicros, reason } = intent;
  return {
    direction,
    level,
    priceKind: kindOfIntent(intent),
    price: priceOf(tick),
    stakeMicros,
    ...(reason === undefined ? {} : { reason }),
  };
}

function verdictOf({ intent, stage, code, message }: BlockedQuote, atMs: number): StageVerdict {
  return { stage, direction: intent.direction, code, message, actual: null, limit: null, atMs };
}
