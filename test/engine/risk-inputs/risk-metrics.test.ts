import { expect, it } from 'vitest';
import { createRiskMetrics } from '../../../src/engine/risk-inputs/risk-metrics.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { REASONS } from '../../../src/orders/send-gate.ts';
import { GUARDS, REFUSAL_CODES, type Risk } from '../../../src/risk/index.ts';

/** The metrics over a risk of which only the read part exists. */
function rig(counts: ReadonlyMap<string, number> = new Map(), guards: readonly string[] = []) {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const risk = {
    killed: null as unknown,
    accountExposure: () => ({ worstMicros: -7_000_000, grossMicros: 9_000_000 }),
    reasons: () => counts,
    guards: { active: () => guards.map((guard) => ({ guard })) },
  };
  const created = createRiskMetrics(metrics, risk as unknown as Risk, ['mine']);
  /** The series of a metric, by the values of its labels. */
  const series = async (name: string): Promise<Record<string, number>> => {
    const { text } = await metrics.expose();
    const found = text.matchAll(new RegExp(`^${name}(?:\\{\\w+="(.*)"\\})? (.*)$`, 'gm'));
    return Object.fromEntries(Array.from(found, ([, label = '', value]) => [label, Number(value)]));
  };
  return { ...created, risk, series };
}

/** Reasons that are not of the send gate, of risk or of a guard. */
const EARLY = [
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

it('shows every reason that can block a quote from the start, at 0', async () => {
  const shown = await rig().series('touchline_quotes_blocked');
  const ofGate = Object.values(REASONS)
    .filter(({ stage }) => stage !== 'risk')
    .map(({ stage, code }) => `${stage}.${code}`);
  const all = [
    ...EARLY,
    ...GUARDS.map((guard) => `guard.${guard}`),
    ...REFUSAL_CODES.map((code) => `risk.${code}`),
    ...ofGate,
  ];
  expect(shown).toEqual(Object.fromEntries(all.map((reason) => [reason, 0])));
});

it('shows what blocks now, also for a reason that nobody listed, and 0 once it has passed', async () => {
  const counts = new Map([
    ['strategy.threw', 3],
    ['strategy.new', 2],
  ]);
  const { update, series } = rig(counts);
  update();
  expect(await series('touchline_quotes_blocked')).toMatchObject({ 'strategy.threw': 3, 'strategy.new': 2 });
  counts.clear();
  update();
  expect(await series('touchline_quotes_blocked')).toMatchObject({ 'strategy.threw': 0, 'strategy.new': 0 });
});

it('shows a loss as a positive exposure, and how many guards of a kind stand', async () => {
  const [first = '', second = ''] = GUARDS;
  const { update, series } = rig(new Map(), [first, second, first]);
  update();
  expect(await series('touchline_risk_exposure_usdt')).toEqual({ worst_case: 7, gross: 9 });
  const standing = Object.fromEntries(GUARDS.map((guard) => [guard, 0]));
  expect(await series('touchline_guard_active')).toEqual({ ...standing, [first]: 2, [second]: 1 });
});

it('shows the kill switch when it is on', async () => {
  const { update, updateKilled, risk, series } = rig();
  for (const show of [updateKilled, update]) {
    for (const [killed, value] of [
      [null, 0],
      [{ by: 'me' }, 1],
      [null, 0],
    ] as const) {
      risk.killed = killed;
      show();
      expect(await series('touchline_killed')).toEqual({ '': value });
    }
  }
});

it('counts refusals and guards by name, and shows each strategy’s profit', async () => {
  const { refused, raised, updateProfits, series } = rig();
  const [code = ''] = REFUSAL_CODES;
  const [guard = GUARDS[0]] = GUARDS;
  for (const _ of [1, 2]) refused(code);
  raised(guard!);
  updateProfits(new Map([['mine', -2_500_000]]));
  const zeros = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]));
  expect(await series('touchline_risk_refusals_total')).toEqual({ ...zeros(REFUSAL_CODES), [code]: 2 });
  expect(await series('touchline_guards_raised_total')).toEqual({ ...zeros(GUARDS), [guard!]: 1 });
  expect(await series('touchline_strategy_profit_usdt')).toEqual({ mine: -2.5 });
});
