import { fromMicros, type Micros } from '../../domain/money.ts';
import { REASONS } from '../../orders/send-gate.ts';
import { knownValues, type Metrics } from '../../ports/metrics.ts';
import { type GuardName, GUARDS, REFUSAL_CODES, type RiskRead } from '../../risk/index.ts';

/** Reasons before the send gate, as `touchline why` names them. */
const EARLY_REASONS = [
  'market.no_prices',
  'market.no_tick',
  'strategy.no_quote',
  'strategy.no_match',
  'strategy.owner_absent',
  'strategy.hung',
  'strategy.threw',
  'state.halted',
  'state.reducing_only',
  'state.gives_way',
];

/** Every reason that can keep a quote from resting, as stage and code. */
const QUOTE_REASONS = [
  ...EARLY_REASONS,
  ...GUARDS.map((guard) => `guard.${guard}`),
  ...REFUSAL_CODES.map((code) => `risk.${code}`),
  ...Object.values(REASONS)
    .filter(({ stage }) => stage !== 'risk')
    .map(({ stage, code }) => `${stage}.${code}`),
];

/**
 * Registers the metrics of risk. Returns functions that update all of them or the kill alone, and that count refusals and guards.
 */
export function createRiskMetrics(
  metrics: Metrics,
  risk: RiskRead,
  strategies: readonly string[],
): {
  readonly update: () => void;
  readonly updateKilled: () => void;
  readonly updateProfits: (profits: ReadonlyMap<string, Micros>) => void;
  readonly refused: (code: string) => void;
  readonly raised: (guard: GuardName) => void;
} {
  const { refusals, raised, killed, profit, ...states } = seriesOf(metrics, strategies);
  const reasons = new Set(QUOTE_REASONS);
  const updateKilled = (): void => killed.set(risk.killed === null ? 0 : 1);
  return {
    refused: (code) => refusals.inc({ code }),
    raised: (guard) => raised.inc({ guard }),
    updateKilled,
    updateProfits(profits) {
      for (const [strategy, micros] of profits) profit.set(fromMicros(micros), { strategy });
    },
    update() {
      updateKilled();
      updateStates(states, risk, reasons);
    },
  };
}

type StateSeries = Pick<ReturnType<typeof seriesOf>, 'exposure' | 'blocked' | 'guards'>;

/** `reasons` has every reason that is shown; new ones are added. */
function updateStates(
  { exposure, blocked, guards }: StateSeries,
  risk: RiskRead,
  reasons: Set<string>,
): void {
  const { worstMicros, grossMicros } = risk.accountExposure();
  exposure.set(0 - fromMicros(worstMicros), { kind: 'worst_case' });
  exposure.set(fromMicros(grossMicros), { kind: 'gross' });
  const counts = risk.reasons();
  for (const reason of counts.keys()) reasons.add(reason);
  for (const reason of reasons) blocked.set(counts.get(reason) ?? 0, { reason });
  const standing = risk.guards.active();
  for (const guard of GUARDS) guards.set(standing.filter((alarm) => alarm.guard === guard).length, { guard });
}

const seriesOf = (metrics: Metrics, strategies: readonly string[]) => ({
  refusals: metrics.counter(
    'touchline_risk_refusals_total',
    'Orders that risk refused, by reason',
    ['code'],
    knownValues('code', REFUSAL_CODES),
  ),
  exposure: metrics.gauge(
    'touchline_risk_exposure_usdt',
    'What may be lost',
    ['kind'],
    knownValues('kind', ['worst_case', 'gross']),
  ),
  blocked: metrics.gauge(
    'touchline_quotes_blocked',
    'Quotes that a reason keeps from resting',
    ['reason'],
    knownValues('reason', QUOTE_REASONS),
  ),
  guards: metrics.gauge(
    'touchline_guard_active',
    'Scopes in which a guard is in force',
    ['guard'],
    knownValues('guard', GUARDS),
  ),
  raised: metrics.counter(
    'touchline_guards_raised_total',
    'How often a guard came into force',
    ['guard'],
    knownValues('guard', GUARDS),
  ),
  killed: metrics.gauge('touchline_killed', 'Whether the kill switch is on'),
  profit: metrics.gauge(
    'touchline_strategy_profit_usdt',
    'Profit of a strategy as its loss limits judge it',
    ['strategy'],
    knownValues('strategy', strategies),
  ),
});
