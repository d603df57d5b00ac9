import { TouchlineError } from '../../domain/errors.ts';
import { eventKey, type EventName, writtenEvent } from '../../domain/events.ts';
import type { SelectionId } from '../../domain/ids.ts';
import { toMicros } from '../../domain/money.ts';
import { selectionName } from '../../domain/selection-name.ts';
import { selectionFrom } from '../../domain/selection.ts';
import type { ExchangePrices } from '../../domain/exchange-prices.ts';
import type { AdminControls } from '../../ops/admin-controls.ts';
import { shownTerms } from '../../read-model/bet-terms.ts';
import { usdt } from '../../read-model/status.ts';
import {
  ACCOUNT,
  eventScope,
  type ExposureReport,
  type Risk,
  type Scope,
  scopeOfSelection,
  type TradingState,
  type WhyReport,
} from '../../risk/index.ts';
import type { Composed } from '../compose.ts';
import { exchangePricesOf } from '../read-model-feed.ts';

/** The daemon's answers to operators, from its parts. */
export function controlsOf(composed: Composed, risk: Risk): Omit<AdminControls, 'see'> {
  const { engine, parts } = composed;
  const openOrders = (): number | null => parts.orders.openOrders();
  const why = (id: SelectionId) => whyOf(risk.why(id), exchangePricesOf(parts));
  return {
    kill(reason, by) {
      const earlier = risk.killed;
      risk.kill(reason, by);
      const made = earlier === null ? risk.killed : null;
      return {
        explain: (words, name) => {
          if (made !== null) risk.explainKill(made, words, name);
        },
        answer() {
          return { killed: risk.killed, openOrders: openOrders(), latchedIn: parts.riskInputs.latchedIn };
        },
      };
    },
    pause(reason, by) {
      risk.pause(by, reason);
      const { state, record } = risk.effectiveState(ACCOUNT);
      return { binding: state, by: record?.by, why: record?.why, openOrders: openOrders() };
    },
    close(reason) {
      const closing = openOrders();
      parts.orders.closeAll(reason);
      return { closing, quoting: risk.effectiveState(ACCOUNT).state };
    },
    resume: (reason, by) => ({
      ...parts.riskInputs.resume(reason, by),
      ...{ killed: risk.killed, openOrders: openOrders() },
    }),
    setState({ state, event, selection, reason }, by) {
      const scopes = scopesOf(composed, event, selection);
      for (const scope of scopes) risk.setState(scope, state, by, reason);
      const bind = scopes.map((scope) => risk.effectiveState(scope));
      // Of several scopes, report one in which another state binds: the person must see that.
      const shown = bind.find((each) => each.state !== state) ?? bind[0];
      if (shown === undefined) return null;
      const { state: binding, record } = shown;
      return { scopes, state, binding, by: record?.by, why: record?.why, killed: risk.killed };
    },
    loosens({ state, event, selection }) {
      const inForce = (scope: Scope): TradingState => risk.effectiveState(scope).state;
      return scopesOf(composed, event, selection).some((scope) => allowsMore(state, inForce(scope)));
    },
    why(name) {
      if (name === null) return chosenOf(composed).map(why);
      const found = namedSelections(composed, name);
      if (found.length > 0) return found.map(why);
      const rejected = engine.universe.rejectedSelections.get(name as SelectionId);
      if (rejected === undefined) return null;
      const answer = why(name as SelectionId);
      const reason = `universe.${rejected}`;
      return [{ ...answer, reason: { for: reason, against: reason } }];
    },
    risk: () => riskReport(composed, risk),
    payoff: (key, home, away) => payoffOf(composed, key, home, away),
    ...moneyControls(composed),
  };
}

/** Exposure, and what stops trading. Amounts in USDT. */
const riskReport = ({ parts }: Composed, risk: Risk) => ({
  killed: risk.killed,
  latchedIn: parts.riskInputs.latchedIn,
  openOrders: parts.orders.openOrders(),
  remaining: parts.riskInputs.obstacles(),
  states: risk.states,
  alarms: risk.guards.active(),
  refusals: Object.fromEntries(risk.refusals()),
  blocked: Object.fromEntries(risk.reasons()),
  exposure: exposureOf(risk.exposure()),
  markouts: parts.ledger.markouts(),
  attribution: parts.ledger.attribution(),
});

/** A bet at the price of its selection, and what the exchange calls and prices it where that differs. */
function termsInUsdt(bet: Parameters<typeof shownTerms>[0], prices: ExchangePrices) {
  const { price, stake, exchange } = shownTerms(bet, prices);
  return { price, stakeUsdt: stake, ...(exchange && { exchange }) };
}

/** Amounts in USDT. */
export function payoffOf({ parts, risk }: Composed, key: string, home: number, away: number) {
  const event = risk.heldEvents().find((held) => eventKey(held) === key);
  if (event === undefined) return null;
  const who = parts.market.event(event)?.event ?? { home: '', away: '', teams: [] };
  return risk.betsAtScore(event, home, away).map(({ selectionId, direction, paysMicros, ...bet }) => ({
    ...{ direction, ...termsInUsdt(bet, exchangePricesOf(parts)) },
    ...{ selectionId, name: selectionName(selectionFrom(selectionId)?.outcome ?? selectionId, who) },
    paysUsdt: usdt(paysMicros),
  }));
}

const moneyControls = ({
  history,
}: Composed): Pick<AdminControls, 'reconcile' | 'reconciliation' | 'deposit'> => ({
  reconcile: async () => (await history?.reconcile()) ?? NO_HISTORY,
  reconciliation: () => history?.report() ?? NO_HISTORY,
  deposit({ amountUsdt, note }, by) {
    if (history === null) throw new TouchlineError('unavailable', NO_HISTORY.why);
    history.deposit(toMicros(amountUsdt), note, by);
    return { amountUsdt, note };
  },
});

/** The answer of a daemon that keeps no history. */
const NO_HISTORY = { pending: false, why: 'this daemon keeps no history', last: null } as const;

/** From the strictest to the freest. */
const FREEDOM: readonly TradingState[] = ['halted', 'reducing', 'active'];

const allowsMore = (state: TradingState, than: TradingState): boolean =>
  FREEDOM.indexOf(state) > FREEDOM.indexOf(than);

const chosenOf = ({ engine }: Composed): SelectionId[] => [...engine.chosen.values()].flat();

/** The chosen selections with that name, or whose names end with it. */
function namedSelections(composed: Composed, name: string): readonly SelectionId[] {
  return chosenOf(composed).filter((id) => id === name || id.endsWith(`|${name}`));
}

/** The account's scope unless an event or a selection is named. Empty if the daemon does not know the name. */
function scopesOf(composed: Composed, event?: string, selection?: string): readonly Scope[] {
  if (event !== undefined) return namedEvents(composed, event).map(eventScope);
  return selection === undefined ? [ACCOUNT] : selectionScopes(composed, selection);
}

/** An id without a sport means that event in every sport: an operator who names no sport wants to stop, or free, all of them. */
function namedEvents({ parts, risk }: Composed, name: string): readonly EventName[] {
  const described = Array.from(parts.market.events(), ({ event }) => event);
  // An event that left the market can still be freed.
  const withState = risk.states.flatMap(({ scope }) => (scope.kind === 'event' ? [scope] : []));
  const meant = [...described, ...withState].filter((event) =>
    [event.eventId, writtenEvent(event)].some((each) => each === name),
  );
  return [...new Map(meant.map((event) => [eventKey(event), event])).values()];
}

/** Empty if the name fits more than one selection. */
function selectionScopes(composed: Composed, name: string): readonly Scope[] {
  const { parts, risk } = composed;
  // A selection that left the market can still be freed.
  const hasState = (id: SelectionId): boolean =>
    risk.states.some(({ scope }) => scope.kind === 'selection' && scope.selectionId === id);
  const named = new Set([name as SelectionId, ...namedSelections(composed, name)]);
  const known = [...named].filter((id) => parts.market.selection(id) !== undefined || hasState(id));
  return known.length === 1 ? known.map(scopeOfSelection) : [];
}

/** Amounts in USDT. */
function exposureOf({ account, scopes, events }: ExposureReport) {
  const amounts = (scope: { readonly worstMicros: number; readonly grossMicros: number }) => ({
    worstCaseUsdt: usdt(scope.worstMicros),
    grossUsdt: usdt(scope.grossMicros),
  });
  return {
    account: { ...amounts(account), openOrders: account.openOrders, openUsdt: usdt(account.openMicros) },
    scopes: scopes.map((scope) => ({ kind: scope.kind, name: scope.name, ...amounts(scope) })),
    events: events.map((event) => ({
      ...{ sport: event.sport, eventId: event.eventId, ...amounts(event), worstScore: event.worstScore },
      ...{ openOrders: event.openOrders, offGrid: event.offGrid },
    })),
  };
}

export function whyOf(
  { selectionId, wanted, verdicts, reason, state, alarms }: WhyReport,
  prices: ExchangePrices,
) {
  return {
    selectionId,
    wanted: wanted.map(({ direction, level, reason: said, ...quote }) => ({
      ...{ direction, level, ...termsInUsdt(quote, prices) },
      ...(said === undefined ? {} : { reason: said }),
    })),
    reason,
    verdicts,
    state: state.state,
    stateSetBy: state.record,
    alarms: alarms.map(({ guard, effect, why }) => ({ guard, effect, why })),
  };
}
