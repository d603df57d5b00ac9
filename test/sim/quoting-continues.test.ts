import { expect, it } from 'vitest';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { goesOnQuoting } from './judges/quoting-continues.ts';
import type { Border, Court } from './judges/judge.ts';

/** The reasons that block each direction of a selection, and its prices. */
interface Market {
  readonly reason: string;
  readonly prices: readonly [forMost: number, againstMost: number];
}

/** A create request on the home win, of an order that lives for a minute. */
interface Create {
  readonly atMs: number;
  /** The journal says how its order ended. */
  readonly settled?: boolean;
  /** The exchange has its order. */
  readonly found?: boolean;
}

interface Requests {
  readonly betslips?: number;
  readonly create?: Create;
}

const UUID = 'u1';
const CREATE = { what: 'POST /v2/orders/', path: '/v2/orders/', body: `{"request_uuid":"${UUID}"}` };
const BETSLIP = { what: 'POST /v2/betslips/', path: '/v2/betslips/', body: null, atMs: 0 };

/** The judge's report at rest, at 300 s, on a daemon that has been silent for minutes, with these markets chosen. */
function saidOf(markets: Readonly<Record<string, Market>>, { betslips = 0, create }: Requests = {}) {
  const said: string[] = [];
  const ids = Object.keys(markets).map((outcome) => `fb|e1|${outcome}`);
  const marketOf = (id: string): Market => markets[id.split('|')[2] ?? ''] as Market;
  const risk = {
    killed: null,
    refusals: () => new Map(),
    why: (id: string) => ({ reason: { for: marketOf(id).reason, against: marketOf(id).reason } }),
    reasons: () => new Map(ids.map((id) => [marketOf(id).reason, 2])),
  };
  const status = () => ({ waiting: [], latched: null });
  const engine = { chosen: new Map([['e1', ids]]) };
  const world = {
    run: { composed: { core: { risk }, engine, parts: { orders: { status } } } },
    clock: { monotonicMs: () => 300_000, wallMs: () => 300_000 },
    startMs: 0,
    requests: [],
    orders: { open: () => [], all: () => [{ fills: [{}] }] },
    exchange: {
      market: {
        isSuspended: () => false,
        levels: ({ outcome }: { outcome: string }, resting: string) => [
          { price: (markets[outcome] as Market).prices[resting === 'for' ? 0 : 1] },
        ],
      },
    },
  };
  const plan = { acts: [], faults: [], world: { betslipsPerDay: 2_000 }, daemon: { eventLimitUsdt: 150 } };
  const fail = (_: string, seen: string): void => void said.push(seen);
  const intended = new Map([[UUID, { selectionId: 'fb|e1|h', place: { durationS: 60 } }]]);
  const isUnsettled = create !== undefined && create.settled !== true;
  const journal = { intended, unsettled: new Set(isUnsettled ? [UUID] : []) };
  const judgement = goesOnQuoting({ world, plan, journal, fail } as unknown as Court);
  for (let count = 0; count < betslips; count++) judgement.onSent?.(BETSLIP, {} as Border);
  if (create !== undefined) judgement.onSent?.({ ...CREATE, atMs: create.atMs }, {} as Border);
  if (create?.found === true) judgement.onEvent?.([{ requestUuid: UUID } as InspectedOrder]);
  judgement.atRest?.();
  return said;
}

const limited: Market = { reason: 'risk.event_worst_case', prices: [2, 2.1] };

it('excuses silence where a limit blocks all wanted quotes, whatever blocks other markets', () => {
  expect(saidOf({ h: limited })).toEqual([]);
  expect(saidOf({ h: limited, d: { reason: 'strategy.no_quote', prices: [2, 40] } })).toEqual([]);
});

it('excuses no silence where something else blocks a wanted quote', () => {
  expect(saidOf({ h: limited, d: { reason: 'strategy.no_quote', prices: [3, 3.1] } })).toHaveLength(1);
});

it('excuses silence where the burst of betslips is spent except for what markets leave to others', () => {
  const quotable: Market = { reason: 'budget.betslip_pace', prices: [2, 2.1] };
  expect(saidOf({ h: quotable }, { betslips: 340 })).toEqual([]);
  expect(saidOf({ h: quotable }, { betslips: 300 })).toHaveLength(1);
});

const unknown: Market = { reason: 'orders.outcome_unknown', prices: [2, 2.1] };

it('excuses silence while an order of unknown state may be open, and not afterwards', () => {
  expect(saidOf({ h: unknown }, { create: { atMs: 220_000 } })).toEqual([]);
  expect(saidOf({ h: unknown }, { create: { atMs: 200_000 } })).toHaveLength(1);
});

it('excuses no silence beside an order that the exchange has, or whose end is known, or in another market', () => {
  expect(saidOf({ h: unknown }, { create: { atMs: 220_000, found: true } })).toHaveLength(1);
  expect(saidOf({ h: unknown }, { create: { atMs: 220_000, settled: true } })).toHaveLength(1);
  const both = { h: unknown, d: { reason: 'orders.backing_off', prices: [3, 3.1] } } as const;
  expect(saidOf(both, { create: { atMs: 220_000 } })).toHaveLength(1);
});
