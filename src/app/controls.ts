import { fromMicros } from '../domain/money.ts';
import type { SelectionId } from '../domain/ids.ts';
import type { AdminControls } from '../ops/admin-controls.ts';
import type { ExposureReport, Risk, WhyReport } from '../risk/index.ts';
import type { Composed } from './compose.ts';
import { usdt } from './session-summary.ts';

/** What operators ask of the daemon, answered from its parts. */
export function controlsOf({ engine, parts }: Composed, risk: Risk): AdminControls {
  const openOrders = (): number => [...parts.orders.orders()].length;
  return {
    kill(reason, by) {
      risk.kill(reason, by);
      return { killed: risk.killed, openOrders: openOrders() };
    },
    resume(reason, by) {
      risk.resume(reason, by);
      return { killed: risk.killed, openOrders: openOrders() };
    },
    why(name) {
      const chosen = [...engine.chosen.values()].flat();
      if (name === null) return chosen.map((id) => whyOf(risk.why(id)));
      const found = chosen.filter((id) => id === name || id.endsWith(`|${name}`));
      if (found.length > 0) return found.map((id) => whyOf(risk.why(id)));
      const rejected = engine.universe.rejectedSelections.get(name as SelectionId);
      return rejected === undefined ? null : [{ selectionId: name, reason: `universe.${rejected}` }];
    },
    risk: () => ({
      killed: risk.killed,
      openOrders: openOrders(),
      states: risk.snapshot().states,
      alarms: risk.guards.standing(),
      refusals: Object.fromEntries(risk.refusals()),
      blocked: Object.fromEntries(risk.reasons()),
      exposure: exposureOf(risk.exposure()),
      markouts: parts.ledger.markouts(),
      attribution: parts.ledger.attribution(),
    }),
  };
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
    alarms: alarms.map(({ guard, effect, why }) => ({ guard, effect, why })),
  };
}
