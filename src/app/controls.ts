import { fromMicros } from '../domain/money.ts';
import type { EventId, SelectionId } from '../domain/ids.ts';
import { eventOfSelection } from '../domain/selection.ts';
import type { AdminControls } from '../ops/admin-controls.ts';
import type { ExposureReport, Risk, Scope, WhyReport } from '../risk/index.ts';
import { ACCOUNT, scopeName } from '../risk/index.ts';
import type { Composed } from './compose.ts';
import { usdt } from '../read-model/amounts.ts';

/** What operators ask of the daemon, answered from its parts. */
export function controlsOf(composed: Composed, risk: Risk): AdminControls {
  const { engine, parts } = composed;
  const openOrders = (): number | null => parts.orders.openOrders();
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
          return { killed: risk.killed, openOrders: openOrders(), latchedIn: parts.riskDesk.latchedIn };
        },
      };
    },
    resume: (reason, by) => ({
      ...parts.riskDesk.resume(reason, by),
      ...{ killed: risk.killed, openOrders: openOrders() },
    }),
    setState({ state, event, selection, reason }, by) {
      const scope = scopeOf(composed, event, selection);
      if (scope === null) return null;
      risk.setState(scope, state, by, reason);
      const { state: binding, record } = risk.effectiveState(scope);
      return { scope, state, binding, by: record?.by, why: record?.why, killed: risk.killed };
    },
    why(name) {
      if (name === null) return chosenOf(composed).map((id) => whyOf(risk.why(id)));
      const found = namedSelections(composed, name);
      if (found.length > 0) return found.map((id) => whyOf(risk.why(id)));
      const rejected = engine.universe.rejectedSelections.get(name as SelectionId);
      if (rejected === undefined) return null;
      const told = whyOf(risk.why(name as SelectionId));
      const reason = `universe.${rejected}`;
      return [{ ...told, reason: { for: reason, against: reason } }];
    },
    risk: () => ({
      killed: risk.killed,
      latchedIn: parts.riskDesk.latchedIn,
      openOrders: openOrders(),
      remaining: parts.riskDesk.obstacles(),
      states: risk.states,
      alarms: risk.guards.standing(),
      refusals: Object.fromEntries(risk.refusals()),
      blocked: Object.fromEntries(risk.reasons()),
      exposure: exposureOf(risk.exposure()),
      markouts: parts.ledger.markouts(),
      attribution: parts.ledger.attribution(),
    }),
  };
}

const chosenOf = ({ engine }: Composed): SelectionId[] => [...engine.chosen.values()].flat();

/** The chosen selections of that name, or whose names end so. */
function namedSelections(composed: Composed, name: string): readonly SelectionId[] {
  return chosenOf(composed).filter((id) => id === name || id.endsWith(`|${name}`));
}

/** The account's scope unless an event or a selection is named; null when the daemon knows none of that name. */
function scopeOf(composed: Composed, event?: string, selection?: string): Scope | null {
  if (event !== undefined) return eventScope(composed, event as EventId);
  return selection === undefined ? ACCOUNT : selectionScope(composed, selection);
}

function eventScope({ parts, risk }: Composed, eventId: EventId): Scope | null {
  const scope: Scope = { kind: 'event', eventId };
  return parts.market.event(eventId) !== undefined || hasState(risk, scope) ? scope : null;
}

function selectionScope(composed: Composed, name: string): Scope | null {
  const [id, another] = [...new Set([name as SelectionId, ...namedSelections(composed, name)])].filter(
    (each) => isKnown(composed, each),
  );
  const eventId = id === undefined ? null : (eventOfSelection(id)?.eventId ?? null);
  if (id === undefined || eventId === null || another !== undefined) return null;
  return { kind: 'selection', eventId, selectionId: id };
}

function isKnown({ parts, risk }: Composed, selectionId: SelectionId): boolean {
  const eventId = eventOfSelection(selectionId)?.eventId ?? null;
  const isOffered = parts.market.selection(selectionId) !== undefined;
  return isOffered || (eventId !== null && hasState(risk, { kind: 'selection', eventId, selectionId }));
}

/** What left the market can still be set free. */
const hasState = (risk: Risk, scope: Scope): boolean =>
  risk.states.some((record) => scopeName(record.scope) === scopeName(scope));

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
      ...{ eventId: event.eventId, ...amounts(event), worstScores: event.worstScores },
      ...{ openOrders: event.openOrders, offGrid: event.offGrid },
    })),
  };
}

function whyOf({ selectionId, wanted, verdicts, reason, state, alarms }: WhyReport) {
  return {
    selectionId,
    wanted: wanted.map(({ stakeMicros, ...quote }) => ({ ...quote, stakeUsdt: fromMicros(stakeMicros) })),
    reason,
    verdicts,
    state: state.state,
    stateSetBy: state.record,
    alarms: alarms.map(({ guard, effect, why }) => ({ guard, effect, why })),
  };
}
