/** Why selections are not quoted, for people. */
import { type EventName, eventNameOf, isSameEvent, writtenEvent } from '../../domain/events.ts';
import type { ExchangePrices } from '../../domain/exchange-prices.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { selectionFrom } from '../../domain/selection.ts';
import { shownTerms } from '../../read-model/bet-terms.ts';
import { eventScope, type WhyReport } from '../../risk/index.ts';
import type { Composed } from '../compose.ts';
import { namedEvent } from '../names.ts';
import { exchangePricesOf } from '../read-model-feed.ts';
import { chosenOf, meant, selectionsMeant } from './meaning.ts';

/**
 * Why a named selection, each chosen one of a named event, or each chosen one is not quoted; null for a name that none has. The name of one
 * event means the event, though all its selections have it in their names.
 */
export function whyControl(composed: Composed, text: string | null): readonly object[] | null {
  const { engine, parts, core, names } = composed;
  const why = (id: SelectionId) => ({
    event: names.eventOf(id),
    name: names.selection(id),
    ...whyOf(core.risk.why(id), exchangePricesOf(parts)),
  });
  const whyOver = (event: EventName) => overAnswer(composed, event);
  if (text === null) return [...chosenOf(composed).map(why), ...shownThoughOver(composed).map(whyOver)];
  const chosen = selectionsMeant(composed, text, chosenOf(composed));
  if (chosen.length > 0) return chosen.map(why);
  const { rejectedSelections } = engine.universe;
  const rejected = selectionsMeant(composed, text, [...rejectedSelections.keys()]);
  if (rejected.length === 0) {
    const over = overEvents(composed, text);
    return over.length === 0 ? null : over.map(whyOver);
  }
  return rejected.map((id) => {
    const reason = `universe.${rejectedSelections.get(id)}`;
    return { ...why(id), reason: { for: reason, against: reason } };
  });
}

/** Events that the exchange shows and that are over for the account. */
const shownThoughOver = ({ parts: { core, isOver } }: Composed): readonly EventName[] =>
  isOver === undefined
    ? []
    : Array.from(core.market.events(), ({ event }) => eventNameOf(event)).filter((event) => isOver(event));

/** Returns the events that a text means by their own name, or by that of a selection, known or not. */
function overEvents(composed: Composed, text: string): readonly EventName[] {
  const over = shownThoughOver(composed);
  if (over.length === 0) return [];
  const ofId = selectionFrom(text as SelectionId);
  if (ofId !== null) return over.filter((event) => isSameEvent(event, ofId));
  const named = over.map((event) => namedEvent([event], composed.names));
  return meant(text, named) ?? meant(text.replace(/:[^:]*$/, ''), named) ?? [];
}

/** Why nothing of such an event is quoted. */
const overAnswer = ({ core, names }: Composed, event: EventName): object => ({
  selectionId: writtenEvent(event),
  event: names.event(event),
  name: 'every selection',
  wanted: [],
  reason: { for: RESULT_TOLD, against: RESULT_TOLD },
  verdicts: [
    {
      stage: 'universe',
      direction: null,
      code: 'result-told',
      message: 'its result was told: the event is over for this account, whatever the exchange shows',
    },
  ],
  state: core.risk.effectiveState(eventScope(event)).state,
  stateSetBy: null,
  alarms: [],
});

const RESULT_TOLD = 'universe.result-told';

/** A bet at the price of its selection, and what the exchange calls and prices it where that differs. */
export function termsInUsdt(bet: Parameters<typeof shownTerms>[0], prices: ExchangePrices) {
  const { price, stake, exchange } = shownTerms(bet, prices);
  return { price, stakeUsdt: stake, ...(exchange && { exchange }) };
}

/** The answer about one selection. Amounts in USDT. */
export function whyOf(
  { selectionId, wanted, verdicts, reason, state, alarms }: WhyReport,
  prices: ExchangePrices,
) {
  return {
    selectionId,
    wanted: wanted.map(({ direction, level, reason: said, ...quote }) => ({
      direction,
      level,
      ...termsInUsdt(quote, prices),
      ...(said === undefined ? {} : { reason: said }),
    })),
    reason,
    verdicts,
    state: state.state,
    stateSetBy: state.record,
    alarms: alarms.map(({ guard, effect, why }) => ({ guard, effect, why })),
  };
}
