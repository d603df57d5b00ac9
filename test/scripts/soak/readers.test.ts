import { describe, expect, it } from 'vitest';
import { parseExposition, sample, total } from '../../../scripts/soak/exposition.ts';
import { LogLines } from '../../../scripts/soak/log-tally.ts';
import { MatchedBets } from '../../../scripts/soak/matched-bets.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';

describe('the exposition', () => {
  const samples = parseExposition(
    [
      '# HELP process_open_fds Number of open file descriptors.',
      '# TYPE process_open_fds gauge',
      'process_open_fds 45 1764123456789',
      'venue_requests_total{endpoint="POST /v2/orders/",outcome="201"} 130',
      'venue_requests_total{endpoint="GET /v2/balance/",outcome="200"} 2',
      'venue_requests_totals 9',
      'touchline_account_profit_usdt{kind="close_now"} NaN',
      'some_seconds_bucket{le="+Inf"} +Inf',
      '',
    ].join('\n'),
  );

  it('gives a series by its name with labels', () => {
    expect(sample(samples, 'process_open_fds')).toBe(45);
    expect(sample(samples, 'touchline_account_profit_usdt{kind="close_now"}')).toBeNaN();
    expect(sample(samples, 'some_seconds_bucket{le="+Inf"}')).toBe(Infinity);
  });

  it('adds up the series of a metric, and no other', () => {
    expect(total(samples, 'venue_requests_total')).toBe(132);
  });

  it('has no value for a series that is missing', () => {
    expect(() => sample(samples, 'process_open_fd')).toThrow('process_open_fd');
    expect(() => total(samples, 'venue_requests')).toThrow('venue_requests');
  });

  it('is read as the daemon writes it', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const refusals = metrics.counter('refusals_total', 'Refused requests', ['why']);
    for (const why of ['a {brace} and a "quote"', 'two words', 'two words']) refusals.inc({ why });
    const { text } = await metrics.expose();
    const written = parseExposition(text);
    expect(total(written, 'refusals_total')).toBe(3);
    expect(sample(written, 'refusals_total{why="two words"}')).toBe(2);
  });
});

it('keeps errors of the log, counts warnings by name, and takes other text for a crash', () => {
  const log = new LogLines();
  for (const line of [
    '{"level":"info","logEvent":"fill","msg":"fill"}',
    '{"level":"warn","logEvent":"guard_in_force","msg":"a guard is in force"}',
    '{"level":"warn","logEvent":"guard_in_force","msg":"a guard is in force"}',
    '{"level":"error","logEvent":"late","msg":"late"}',
    '{"level":"fatal","msg":"over"}',
    'TypeError: x is undefined',
  ])
    log.take(line);
  expect([...log.warnings]).toEqual([['guard_in_force', 2]]);
  expect(log.errors).toHaveLength(3);
  expect(log.errors[2]).toBe('TypeError: x is undefined');
});

it('counts each order and each bet of the exchange once', () => {
  const matched = new MatchedBets();
  const bet = {
    betId: 1,
    price: 2,
    stakeMicros: 1,
    atMs: 0,
    role: 'maker',
    cause: 'queue ahead traded',
    voided: false,
  } as const;
  const see = (orderId: number, closed: boolean, bets: number): void =>
    matched.saw({ orderId, closed, fills: Array.from({ length: bets }, () => bet) });
  see(7, false, 0);
  see(3, false, 1);
  see(7, false, 2);
  see(3, true, 1);
  see(7, true, 3);
  // Both are paid.
  see(3, true, 1);
  see(7, true, 3);
  expect(matched).toMatchObject({ orders: 2, bets: 4 });
});
