import { expect, it } from 'vitest';
import { goesOnQuoting } from './judges/goes-on-quoting.ts';
import type { Border, Court } from './judges/judge.ts';

/** What keeps each direction of a selection, and at which prices it trades. */
interface Market {
  readonly reason: string;
  readonly prices: readonly [forMost: number, againstMost: number];
}

/** What is said at rest of a daemon that has been silent for minutes, with these markets chosen and so many betslips asked for. */
function saidOf(markets: Readonly<Record<string, Market>>, betslips = 0): readonly string[] {
  const said: string[] = [];
  const ids = Object.keys(markets).map((outcome) => `fb|e1|${outcome}`);
  const marketOf = (id: string): Market => markets[id.split('|')[2] ?? ''] as Market;
  const risk = {
    killed: null,
    why: (id: string) => ({ reason: { for: marketOf(id).reason, against: marketOf(id).reason } }),
    reasons: () => new Map(ids.map((id) => [marketOf(id).reason, 2])),
  };
  const status = () => ({ waiting: [], latched: null });
  const engine = { chosen: new Map([['e1', ids]]) };
  const world = {
    run: { composed: { risk, engine, parts: { orders: { status } } } },
    clock: { monotonicMs: () => 300_000, wallMs: () => 300_000 },
    ...{ startMs: 0, requests: [] },
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
  const judgement = goesOnQuoting({ world, plan, fail } as unknown as Court);
  const sent = { what: 'POST /v2/betslips/', path: '/v2/betslips/', body: null, atMs: 0 };
  for (let count = 0; count < betslips; count++) judgement.onSent?.(sent, {} as Border);
  judgement.atRest?.();
  return said;
}

const limited: Market = { reason: 'risk.event_worst_case', prices: [2, 2.1] };

it('excuses silence where a limit keeps back all that is to be quoted, whatever is said of other markets', () => {
  expect(saidOf({ h: limited })).toEqual([]);
  expect(saidOf({ h: limited, d: { reason: 'strategy.no_quote', prices: [2, 40] } })).toEqual([]);
});

it('excuses no silence where something else keeps back one that is to be quoted', () => {
  expect(saidOf({ h: limited, d: { reason: 'strategy.no_quote', prices: [3, 3.1] } })).toHaveLength(1);
});

it('excuses silence where the burst of betslips is spent but for what markets leave to others', () => {
  const quotable: Market = { reason: 'budget.betslip_pace', prices: [2, 2.1] };
  expect(saidOf({ h: quotable }, 340)).toEqual([]);
  expect(saidOf({ h: quotable }, 300)).toHaveLength(1);
});
