import { fromMicros, type Micros } from '../../domain/money.ts';
import type { Metrics } from '../../ports/metrics.ts';
import { type GuardName, GUARDS, type Risk } from '../../risk/index.ts';

/**
 * Registers the metrics of risk. Returns functions that update all of them or the kill alone, and that count refusals and guards.
 */
export function createRiskMetrics(
  metrics: Metrics,
  risk: Risk,
): {
  readonly update: () => void;
  readonly updateKilled: () => void;
  readonly updateProfits: (profits: ReadonlyMap<string, Micros>) => void;
  readonly refused: (code: string) => void;
  readonly raised: (guard: GuardName) => void;
} {
  const refusals = metrics.counter('touchline_risk_refusals_total', 'Orders that risk refused, by reason', [
    'code',
  ]);
  const exposure = metrics.gauge('touchline_risk_exposure_usdt', 'What may be lost', ['kind']);
  const blocked = metrics.gauge('touchline_quotes_blocked', 'Quotes that a reason keeps from resting', [
    'reason',
  ]);
  const alarms = metrics.gauge('touchline_guard_active', 'Scopes in which a guard is in force', ['guard']);
  const raised = metrics.counter('touchline_guards_raised_total', 'How often a guard came into force', [
    'guard',
  ]);
  const killed = metrics.gauge('touchline_killed', 'Whether the kill switch is on');
  const profit = metrics.gauge(
    'touchline_strategy_profit_usdt',
    'Profit of a strategy as its loss limits judge it',
    ['strategy'],
  );
  const updateKilled = (): void => killed.set(risk.killed === null ? 0 : 1);
  const seen = new Set<string>();
  const updateReasons = (): void => {
    const reasons = risk.reasons();
    for (const reason of reasons.keys()) seen.add(reason);
    for (const reason of seen) blocked.set(reasons.get(reason) ?? 0, { reason });
  };
  const updateGuards = (): void => {
    const standing = risk.guards.active();
    for (const guard of GUARDS)
      alarms.set(standing.filter((alarm) => alarm.guard === guard).length, { guard });
  };
  return {
    refused: (code) => refusals.inc({ code }),
    raised: (guard) => raised.inc({ guard }),
    updateKilled,
    updateProfits(profits) {
      for (const [strategy, micros] of profits) profit.set(fromMicros(micros), { strategy });
    },
    update() {
      const { worstMicros, grossMicros } = risk.accountExposure();
      exposure.set(0 - fromMicros(worstMicros), { kind: 'worst_case' });
      exposure.set(fromMicros(grossMicros), { kind: 'gross' });
      updateKilled();
      updateReasons();
      updateGuards();
    },
  };
}
