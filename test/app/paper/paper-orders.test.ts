import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { earlierOrders, keepOrder, PAPER_ORDER } from '../../../src/app/paper/paper-orders.ts';
import { JournalError } from '../../../src/domain/errors.ts';
import { betslipId, betType, eventId, orderId, requestUuid, sport } from '../../../src/domain/ids.ts';
import { tickOf } from '../../../src/domain/ladder.ts';
import { type Fact, entryOf } from '../../../src/orders/journal/records.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import type { KeptOrder } from '../../../src/simulator/core/api.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { PaperRig } from '../../paper/support/rig.ts';

const journal = (): Journal => createMemoryJournal(new VirtualClock(1_000));
const UUID = '3f9c1f7e-5a0e-4d0b-8f57-0a4be5a0a001';

/** What the daemon writes of an order: that it wants it, and that the exchange has it. */
const lived = (id: number, state: 'live' | 'closed', uuid = UUID): Fact[] => [
  {
    kind: 'order_intended',
    uuid: requestUuid(uuid),
    place: {
      requestUuid: requestUuid(uuid),
      betslipId: betslipId('slip'),
      sport: sport('fb'),
      eventId: eventId('2026-03-01,1,2'),
      betType: betType('for,h'),
      priceKind: 'lay-for',
      price: 2.1,
      stakeMicros: 10e6,
      durationS: 60,
    },
    key: null,
    selectionId: 'fb|2026-03-01,1,2|h' as never,
    direction: 'against',
    tick: tickOf(2.1) as number,
    mode: 'make_and_take',
    owner: 'mine',
    bodyHash: 'x',
    repeat: false,
  },
  {
    kind: 'order_changed',
    uuid: requestUuid(uuid),
    state,
    orderId: orderId(id),
    expiryMs: null,
    filledMicros: 0,
    closeReason: null,
    source: 'create',
  },
];

async function matched(): Promise<{ rig: PaperRig; kept: KeptOrder }> {
  const rig = new PaperRig();
  rig.offer('for,h', [[2.1, 100]]);
  await rig.connect();
  await rig.place('for,h', 2.1, 30);
  await rig.pass(3);
  const [kept] = rig.kept.values();
  return { rig, kept: kept as KeptOrder };
}

describe('the orders of a paper account', () => {
  it('outlive the process: another one has the same balance, orders and bets, and nothing reaches the exchange', async () => {
    const { rig, kept } = await matched();
    const held = journal();
    for (const order of rig.kept.values()) keepOrder(order, held, silentLogger);
    const next = new PaperRig({ kept: earlierOrders(held, silentLogger) });
    const balance = async (of: PaperRig) => (await of.ask('GET', '/v2/balance/')).data;
    expect(await balance(next)).toEqual(await balance(rig));
    const [was, is] = [await rig.order(kept.orderId), await next.order(kept.orderId)];
    expect(is).toMatchObject({ bets: was['bets'], status: 'done', stake: ['USDT', 30] });
    expect(next.wire).toEqual([]);
  });

  it('are in the journal as they were last', async () => {
    const { kept } = await matched();
    const held = journal();
    keepOrder({ ...kept, bets: [] }, held, silentLogger);
    keepOrder(kept, held, silentLogger);
    expect(earlierOrders(held, silentLogger)).toEqual([kept]);
    expect(Array.from(held.ofKind(PAPER_ORDER))).toHaveLength(2);
  });

  it('include those without a bet that were open by the daemon, which ended with the exchange', async () => {
    const held = journal();
    const [other, unknown] = [UUID.replace(/1$/, '2'), UUID.replace(/1$/, '3')];
    const facts = [
      ...lived(7, 'live'),
      ...lived(8, 'closed', other),
      ...lived(9, 'live', unknown).slice(0, 1),
    ];
    held.append(facts.map(entryOf));
    const kept = earlierOrders(held, silentLogger);
    expect(kept).toMatchObject([
      { orderId: 7, requestUuid: UUID, isLay: true, priceKind: 'lay-for', bets: [] },
    ]);
    const rig = new PaperRig({ kept });
    expect(await rig.order(7)).toMatchObject({
      order_type: 'lay',
      want_price: 2.1,
      want_stake: ['USDT', 10],
      closed: true,
      status: 'failed',
      close_reason: 'cancelled',
      bets: [],
    });
  });

  it('are none of a journal that is damaged, and a write that fails loses nothing else', async () => {
    const { kept } = await matched();
    const fails = (): never => {
      throw new JournalError('disk full');
    };
    expect(earlierOrders({ ...journal(), ofKind: fails }, silentLogger)).toEqual([]);
    expect(() => keepOrder(kept, { append: fails }, silentLogger)).not.toThrow();
  });
});
