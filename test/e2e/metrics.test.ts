import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/exchange.ts';
import { metricsOf } from '../support/place.ts';
import { type Run, touchline } from '../support/process.ts';
import {
  alertRules,
  dashboard,
  dashboardQueries,
  hasTool,
  metricsIn,
  promtool,
  seriesIn,
} from '../support/prometheus.ts';

const folder = temporaryFolder();
const PRICES = folder.file('prices.json', '[]');

/** Every kind of metric exists, those of price sources and notifications included. Nobody listens at the webhook. */
const SETTINGS = `mode = "simulated"
[ops]
port = 0
[admin]
port = 0
[notify]
webhookUrl = "http://127.0.0.1:9/"
[[priceSource]]
name = "file"
as = "odds"
options = { file = "${PRICES}" }
`;

/** What Prometheus sends since version 2.5. */
const ACCEPT =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';

let daemon: Run;
let url: string;
let exposition: string;

beforeAll(async () => {
  const secret = { TOUCHLINE_WEBHOOK_SECRET: 'secret-of-the-webhook' };
  daemon = touchline(['start', '--json', '--config', folder.file('metrics.toml', SETTINGS)], secret);
  url = await metricsOf(daemon);
  await daemon.until(/order live/);
  exposition = await (await fetch(`${url}/metrics`)).text();
});

afterAll(async () => {
  daemon.kill('SIGTERM');
  await daemon.exit;
  folder.remove();
});

/** Names of metrics in the first column of the table of metrics. */
function documented(): readonly string[] {
  const page = readFileSync(new URL('../../docs/reference/monitoring.md', import.meta.url), 'utf8');
  const section = /^## Metrics$([\s\S]*?)^## /m.exec(page)?.[1] ?? '';
  const cells = section.split('\n').map((line) => line.split('|')[1] ?? '');
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`(touchline_\w+)/g), ([, name = '']) => name));
}

const exposed = (): readonly string[] =>
  Array.from(exposition.matchAll(/^# TYPE (touchline_\w+) /gm), ([, name = '']) => name);

const valueOf = (series: string): number =>
  Number(
    exposition
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1),
  );

describe('the metrics of a running daemon', () => {
  it('are under one prefix, but for those of the process', () => {
    const names = Array.from(exposition.matchAll(/^# TYPE (\S+) /gm), ([, name = '']) => name);
    expect(names.filter((name) => !/^(touchline|process|nodejs)_/.test(name))).toEqual([]);
  });

  it('are the documented ones', () => {
    expect(documented().toSorted()).toEqual(exposed().toSorted());
  });

  it('have every series of the alerting rules and of the dashboard', () => {
    const known = new Set(seriesIn(exposition));
    const variables = dashboard().templating.list.map(({ definition }) => definition);
    const queries = [...alertRules().map(({ expr }) => expr), ...dashboardQueries(), ...variables];
    const used = metricsIn(...queries);
    expect(used.length).toBeGreaterThan(40);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  it('show the stream, the way from frames to quotes, and the journal', () => {
    expect(exposition).toMatch(/^touchline_build_info\{version="\d.*",mode="simulated"\} 1$/m);
    expect(valueOf('touchline_stream_state{state="synced"}')).toBe(1);
    expect(valueOf('touchline_stream_frame_age_seconds')).toBeLessThan(20);
    expect(valueOf('touchline_frame_to_intent_seconds_count')).toBeGreaterThan(0);
    expect(valueOf('touchline_engine_turn_seconds_count')).toBe(valueOf('touchline_engine_turns_total'));
    expect(valueOf('touchline_journal_commit_seconds_count')).toBeGreaterThan(0);
    expect(valueOf('touchline_journal_failed')).toBe(0);
    expect(valueOf('touchline_log_lines_total{level="info"}')).toBeGreaterThan(0);
  });

  it('name the loss limits as the alerting rule expects', () => {
    const limits = Array.from(exposition.matchAll(/^touchline_risk_limit\{limit="(loss\.[^"]+)"\}/gm));
    expect(limits.map(([, limit]) => limit)).toEqual(expect.arrayContaining(['loss.dayUsdt']));
    expect(valueOf('touchline_risk_use{limit="loss.dayUsdt"}')).toBeLessThan(5_000);
  });

  it.each([
    'touchline_log_lines_total{level="error"}',
    'touchline_guards_raised_total{guard="red_card"}',
    'touchline_risk_refusals_total{code="day_turnover"}',
    'touchline_orders_refusals_total{code="validation_error"}',
    'touchline_orders_fills_total{role="unknown"}',
    'touchline_config_reloads_total{result="refused"}',
    'touchline_venue_requests_total{endpoint="POST /v2/orders/",outcome="429"}',
    'touchline_strategy_problems_total{strategy="symmetric",kind="threw"}',
    'touchline_source_faults_total{source="odds",kind="too-many"}',
    'touchline_quotes_blocked{reason="strategy.hung"}',
  ])('have %s before it happens', (series) => {
    expect(valueOf(series)).toBe(0);
  });

  it('are OpenMetrics for a Prometheus', async () => {
    const answer = await fetch(`${url}/metrics`, { headers: { accept: ACCEPT } });
    expect(answer.headers.get('content-type')).toBe(
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    );
    const text = await answer.text();
    expect(text).toMatch(/^# TYPE touchline_engine_turns counter\ntouchline_engine_turns_total \d+$/m);
    expect(text.endsWith('\n# EOF\n')).toBe(true);
  });

  it.runIf(hasTool('promtool'))('give promtool nothing to report', () => {
    expect(promtool(['check', 'metrics'], exposition)).toEqual({ code: 0, output: '' });
  });
});
