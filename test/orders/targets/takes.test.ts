import { describe, expect, it } from 'vitest';
import { type OrderId, type SelectionId, sport } from '../../../src/domain/ids.ts';
import { packLevels } from '../../../src/domain/price-list.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { type Fact, factOf } from '../../../src/orders/journal/records.ts';
import { EVENT, EVENT_NAME, OrderManagerRig, quote, SELECTION } from '../../support/order-manager-rig.ts';

/** An offer that an order for 2.22 takes. */
const TAKEN = packLevels([{ price: 2.3, minMicros: null, maxMicros: 500_000_000 }]);
const market = () => ({ for: TAKEN, against: TAKEN });
const DRAW = `fb|${EVENT}|d` as SelectionId;

const take = (id: string, over: Partial<QuoteIntent> = {}): QuoteIntent => quote({ take: id, ...over });

type Intended = Extract<Fact, { kind: 'order_intended' }>;

const intended = (rig: OrderManagerRig): readonly Intended[] =>
  rig.store.records.map(factOf).filter((fact) => fact.kind === 'order_intended');
const idsOf = (rig: OrderManagerRig): readonly (string | undefined)[] =>
  intended(rig).map(({ place }) => place.take?.id);
const waitingOf = (rig: OrderManagerRig): readonly string[] =>
  rig.manager.status().waiting.map(({ code }) => code);
const only = (rig: OrderManagerRig): OrderId => [...rig.venue.held.keys()].at(-1) as OrderId;

async function taking(...intents: readonly QuoteIntent[]): Promise<OrderManagerRig> {
  const rig = new OrderManagerRig({ market, auditEveryMs: 0 });
  await rig.startQuoting(...intents);
  return rig;
}

/** The whole stake of the newest order is matched, and the strategy decides again. */
async function fillNewest(rig: OrderManagerRig): Promise<void> {
  rig.venue.fill(only(rig), 10_000_000, 'taker');
  await rig.advance(10);
}

describe('a take', () => {
  it('becomes one order that only takes, with its id in the journal before the send', async () => {
    const rig = await taking(take('a', { fairProbability: 0.5 }));
    expect(intended(rig)).toMatchObject([
      {
        mode: 'take_only',
        place: {
          exchangeMode: 'take_only',
          durationS: 15,
          take: { id: 'a', fairProbability: 0.5, reduces: false },
        },
      },
    ]);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it('lives as long as it asks for, even if that is shorter than a quote may', async () => {
    const rig = await taking(take('a', { lifetimeS: 2 }));
    expect(intended(rig)[0]?.place.durationS).toBe(2);
  });

  it.each([
    ['it was filled', fillNewest],
    ['it lapsed without a match', (rig: OrderManagerRig) => rig.advance(20_000)],
  ])('is never placed again though it is still wanted: %s', async (_, end) => {
    const rig = await taking(take('a'));
    await end(rig);
    for (let turn = 0; turn < 20; turn++) {
      rig.desire(take('a'));
      await rig.advance(1_000);
    }
    expect(idsOf(rig)).toEqual(['a']);
    expect(waitingOf(rig)).toEqual(['take_spent']);
    expect(rig.manager.status().missedWakes).toBe(0);
  });

  it('is never placed again after it was dropped and wanted again, at any price and on any selection', async () => {
    const rig = await taking(take('a'));
    rig.desire();
    await rig.advance(3_000);
    expect(rig.venue.open()).toHaveLength(0);
    rig.desire(take('a', { tick: 105 }), take('b', { selectionId: DRAW }));
    await rig.advance(3_000);
    rig.desire(take('a', { selectionId: DRAW }));
    await rig.advance(3_000);
    expect(idsOf(rig)).toEqual(['a', 'b']);
  });

  it('keeps its order though its price or stake is wanted otherwise', async () => {
    const rig = await taking(take('a'));
    rig.desire(take('a', { tick: 105, stakeMicros: 50_000_000 }));
    await rig.advance(3_000);
    expect(rig.venue.open()).toHaveLength(1);
    expect(idsOf(rig)).toEqual(['a']);
  });

  it('is closed when it is not wanted any more', async () => {
    const rig = await taking(take('a'), quote({ selectionId: DRAW, tick: 130 }));
    rig.desire(quote({ selectionId: DRAW, tick: 130 }));
    await rig.advance(3_000);
    expect(Array.from(rig.manager.orders(), ({ mode }) => mode)).toEqual(['make_and_take']);
  });

  it('stands beside a quote of its selection', async () => {
    const rig = await taking(quote({ tick: 130 }), take('a'));
    expect(intended(rig).map(({ mode }) => mode)).toContain('take_only');
    expect(rig.venue.open()).toHaveLength(2);
  });

  it('is not sent while an order of ours that it would match rests', async () => {
    const rig = new OrderManagerRig({ market: () => ({ for: [], against: [] }), venue: { quote: () => [] } });
    await rig.startQuoting(quote({ direction: 'against', tick: 90 }));
    rig.desire(quote({ direction: 'against', tick: 90 }), take('a', { tick: 85 }));
    await rig.advance(2_000);
    expect(waitingOf(rig)).toEqual(['would_cross_own']);
    expect(idsOf(rig)).toEqual([undefined]);
  });

  it('keeps away what would match an offer of its hedge that rests', async () => {
    const rig = new OrderManagerRig({ market: () => ({ for: [], against: [] }), venue: { quote: () => [] } });
    const offer = take('h/0', { hedge: 'h', mode: 'make_and_take', tick: 85 });
    await rig.startQuoting(offer);
    expect(rig.venue.open()).toHaveLength(1);
    rig.desire(
      offer,
      quote({ direction: 'against', tick: 90 }),
      quote({ direction: 'against', tick: 80, level: 1 }),
    );
    await rig.advance(2_000);
    expect(waitingOf(rig)).toEqual(['would_cross_own']);
    expect(rig.venue.open()).toHaveLength(2);
  });

  it('is never placed during a kill, nor withdrawn into a later one', async () => {
    const rig = new OrderManagerRig({ market });
    await rig.start();
    rig.manager.stopQuoting('killed');
    rig.desire(take('a'));
    await rig.advance(5_000);
    expect(idsOf(rig)).toEqual([]);
    expect(waitingOf(rig)).toEqual(['stopped']);
  });

  it('is not sent if a kill comes while it waits for its connection', async () => {
    const rig = new OrderManagerRig({ market });
    await rig.start();
    rig.venue.fault = (method) => (method === 'placeOrder' ? { kind: 'slow-connection', ms: 3_000 } : null);
    rig.desire(take('a'));
    while (rig.states().length === 0) await rig.advance(10);
    rig.manager.stopQuoting('killed');
    await rig.advance(10_000);
    expect(rig.venue.held.size).toBe(0);
    rig.manager.resumeQuoting();
    rig.desire(take('a'));
    await rig.advance(10_000);
    // The journal knew it before the send, so its id is spent.
    expect([rig.venue.held.size, waitingOf(rig)]).toEqual([0, ['take_spent']]);
  });
});

describe('the id of a take', () => {
  const TENNIS = { ...EVENT_NAME, sport: sport('tennis') };
  const there = SELECTION.replace('fb|', 'tennis|') as SelectionId;

  it.each([
    ['is spent for its strategy on every event', 'a strategy', ['a']],
    ['is free for another strategy', 'another strategy', ['a', 'a']],
    ['is free for a strategy whose name begins alike', 'a strategy a', ['a', 'a']],
  ])('%s, also after a restart', async (_, owner, ids) => {
    const rig = await taking(take('a'));
    const decide = async (): Promise<void> => {
      rig.desire(take('a'));
      rig.manager.setTargets(TENNIS, owner, [take('a', { selectionId: there })]);
      await rig.advance(3_000);
    };
    await decide();
    expect(idsOf(rig)).toEqual(ids);
    await rig.advance(20_000);
    await rig.restart();
    await decide();
    expect(idsOf(rig)).toEqual(ids);
  });

  it('that another strategy has spent in an earlier run is free', async () => {
    const rig = await taking(take('a'));
    await rig.advance(20_000);
    await rig.restart();
    rig.manager.setTargets(TENNIS, 'another strategy', [take('a', { selectionId: there })]);
    await rig.advance(3_000);
    expect(idsOf(rig)).toEqual(['a', 'a']);
  });
});

describe('the next take on a selection', () => {
  it('waits until the last one is over and was decided about, and wakes by itself', async () => {
    const rig = await taking(take('a'), take('b', { tick: 108 }));
    expect(idsOf(rig)).toHaveLength(1);
    expect(waitingOf(rig)).toEqual(['take_waits']);
    await fillNewest(rig);
    await rig.advance(3_000);
    // Nothing was decided since the fill: the take may not be what the strategy still wants.
    expect(idsOf(rig)).toHaveLength(1);
    rig.desire(take('a'), take('b', { tick: 108 }));
    await rig.advance(3_000);
    expect([...idsOf(rig)].sort()).toEqual(['a', 'b']);
    expect(rig.manager.status().missedWakes).toBe(0);
  });

  it('does not wait for a take on another selection', async () => {
    const rig = await taking(take('a'), take('b', { selectionId: DRAW }));
    expect([...idsOf(rig)].sort()).toEqual(['a', 'b']);
  });

  it('waits if its decision was made before the fill was known, though it arrives after it', async () => {
    const rig = await taking(take('a'));
    rig.venue.fill(only(rig), 10_000_000, 'taker');
    rig.desire(take('b'));
    await rig.advance(3_000);
    expect(idsOf(rig)).toEqual(['a']);
    rig.desire(take('b'));
    await rig.advance(3_000);
    expect(idsOf(rig)).toEqual(['a', 'b']);
  });

  it('waits for a take of an earlier run that may still be matched', async () => {
    const rig = await taking(take('a'));
    await rig.restart();
    rig.desire(take('a'), take('b'));
    await rig.advance(2_000);
    expect(idsOf(rig)).toEqual(['a']);
    expect(waitingOf(rig)).toEqual(['take_waits']);
  });
});

/** Whether the answer to a create request comes, and whether the exchange acts. */
const FARES: readonly (readonly [string, string | null])[] = [
  ['answered', null],
  ['lost', 'lost'],
];

describe('a crash around a take', () => {
  it.each(FARES)('never makes two orders for one id: %s', async (_, fault) => {
    for (let atMs = 0; atMs <= 2_400; atMs += 160) {
      const rig = new OrderManagerRig({ market });
      await rig.start();
      let faults = fault === null ? 0 : 1;
      rig.venue.fault = (method) =>
        method === 'placeOrder' && faults-- > 0 ? ({ kind: fault } as never) : null;
      rig.desire(take('a'));
      await rig.advance(atMs);
      await rig.restart();
      for (let turn = 0; turn < 30; turn++) {
        rig.desire(take('a'));
        await rig.advance(3_000);
      }
      const uuids = new Set(intended(rig).map(({ uuid }) => uuid));
      expect([atMs, uuids.size, rig.venue.held.size <= 1]).toEqual([atMs, 1, true]);
    }
  });
});

describe('what an order asks for beside price and stake', () => {
  const asks = {
    keepOpenInRunning: true,
    excludeDanger: true,
    minTakerWantStakeMicros: 5_000_000,
    sourceMinStakesMicros: { pin: 2_000_000 },
  };

  it('is in its request, and nothing is unless it is asked for', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote({ mode: 'dark', ...asks }), quote({ selectionId: DRAW }));
    const [asked, plain] = [...intended(rig)].sort((a) => (a.mode === 'dark' ? -1 : 1));
    expect(asked?.place).toMatchObject({ exchangeMode: 'dark', ...asks });
    for (const name of [...Object.keys(asks), 'exchangeMode', 'take'])
      expect(plain?.place).not.toHaveProperty(name);
  });

  it.each(Object.keys(asks))('replaces its order when it changes: %s', async (name) => {
    const rig = new OrderManagerRig();
    const { [name as keyof typeof asks]: _, ...others } = asks;
    await rig.startQuoting(quote({ mode: 'dark', ...asks }));
    rig.desire(quote({ mode: 'dark', ...others }));
    await rig.advance(3_000);
    expect(intended(rig)).toHaveLength(2);
    expect(intended(rig)[1]?.place).not.toHaveProperty(name);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it('keeps its order while it stays the same, whichever object names the sources', async () => {
    const rig = new OrderManagerRig();
    await rig.startQuoting(quote({ mode: 'dark', ...asks }));
    rig.desire(quote({ mode: 'dark', ...asks, sourceMinStakesMicros: { pin: 2_000_000 } }));
    await rig.advance(3_000);
    expect(intended(rig)).toHaveLength(1);
  });
});
