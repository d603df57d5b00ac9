import { describe, expect, it } from 'vitest';
import { FAULT_KINDS, faultsSchema } from '../../../src/simulator/faults/schema.ts';
import {
  coversEntry,
  coversRequest,
  REQUEST_NAMES,
  requestName,
} from '../../../src/simulator/faults/targets.ts';

describe('fault files', () => {
  it('fills in what a fault omits', () => {
    expect(faultsSchema.parse([{ at: 5, target: 'orders.create', fault: 'answer_lost', times: 1 }])).toEqual([
      { at: 5, target: 'orders.create', fault: 'answer_lost', times: 1, skip: 0, probability: 1 },
    ]);
    expect(faultsSchema.parse([{ target: 'stream', fault: 'close' }])).toMatchObject([{ at: 0, code: 1008 }]);
    const instant = '2026-01-02T03:04:05Z';
    expect(faultsSchema.parse([{ at: instant, target: 'network', fault: 'connect_refused' }])).toMatchObject([
      { at: instant },
    ]);
  });

  it.each([
    ['an unknown kind', { target: 'orders.create', fault: 'explode' }],
    ['a request fault on the stream', { target: 'stream.offer', fault: 'answer_lost' }],
    ['a stream fault on a request', { target: 'orders.create', fault: 'missing' }],
    ['a request that does not exist', { target: 'orders.make', fault: 'reset' }],
    ['an unknown field', { target: 'rest', fault: 'reset', delay_ms: 1 }],
    ['a missing field', { target: 'rest', fault: 'delayed' }],
    ['a probability above one', { target: 'rest', fault: 'reset', probability: 1.5 }],
    ['a negative time', { at: -1, target: 'rest', fault: 'reset' }],
    ['a close code that no frame can carry', { target: 'stream', fault: 'close', code: 1006 }],
    ['a reason that no close frame can carry', { target: 'stream', fault: 'close', reason: '가'.repeat(42) }],
    ['a pause that no clock can tell', { target: 'stream', fault: 'close', every_s: 1e-8 }],
  ])('refuses %s', (_what, fault) => {
    expect(faultsSchema.safeParse([fault]).success).toBe(false);
  });

  it('knows every kind once', () => {
    expect(new Set(FAULT_KINDS).size).toBe(FAULT_KINDS.length);
    expect(FAULT_KINDS).toContain('half_open');
  });
});

describe('targets', () => {
  it.each([
    ['POST', '/v2/orders/', 'orders.create'],
    ['GET', '/v2/orders/?page=2', 'orders.list'],
    ['GET', '/v2/orders/17/', 'orders.get'],
    ['GET', '/v2/orders/updates/?a=b', 'orders.updates'],
    ['GET', '/v2/orders/position/', 'orders.position'],
    ['GET', '/magic-api/v2/orders/tracked/x/', 'orders.tracked'],
    ['POST', '/v2/orders/17/close/', 'orders.close'],
    ['POST', '/v2/orders/close_all/', 'orders.close_all'],
    ['POST', '/v2/betslips', 'betslips.create'],
    ['DELETE', '/v2/heartbeats/h/', 'heartbeats.delete'],
    ['GET', '/v2/sports/fb/bet_types/for,h/', 'bet_type'],
    ['GET', '/v2/nothing/', 'other'],
    ['PUT', '/v2/orders/', 'other'],
  ])('names %s %s', (method, target, name) => {
    expect(requestName(method, target)).toBe(name);
  });

  it('covers one, a family, or everything', () => {
    expect(REQUEST_NAMES.filter((name) => coversRequest('orders.close', name))).toEqual(['orders.close']);
    expect(REQUEST_NAMES.filter((name) => coversRequest('heartbeats.*', name))).toHaveLength(5);
    expect(REQUEST_NAMES.every((name) => coversRequest('rest', name))).toBe(true);
    expect([
      coversEntry('stream.pmm', 'pmm'),
      coversEntry('stream.*', 'pmm'),
      coversEntry('stream.bet', 'pmm'),
    ]).toEqual([true, true, false]);
  });
});
