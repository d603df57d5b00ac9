import { describe, expect, it } from 'vitest';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import { EVENT, PaperRig } from './support/rig.ts';

const command = (kind: 'register' | 'unregister', event: string): string =>
  JSON.stringify([`${kind}_event`, 'fb', event]);

async function watching(options: ConstructorParameters<typeof PaperRig>[0] = {}): Promise<PaperRig> {
  const rig = new PaperRig(options);
  rig.offer('for,h', [[2.1, 100]]);
  rig.offer('against,h', [[1.9, 80]]);
  await rig.connect();
  return rig;
}

const answers = (rig: PaperRig): unknown[] =>
  rig.entries.flatMap(([tag, { code, data }]) => (tag === 'response' ? [code ?? data ?? 'ok'] : []));

describe('commands of a paper run', () => {
  it('are four: register, unregister, list and echo', async () => {
    const rig = await watching();
    rig.send('list_registered_events');
    rig.send('echo', 'e1-0');
    rig.send('unregister_event', 'fb', EVENT.eventId);
    await rig.pass(1);
    expect(rig.wire.slice(1)).toEqual([
      '["list_registered_events"]',
      '["echo","e1-0"]',
      command('unregister', EVENT.eventId),
    ]);
  });

  it.each([
    [['place_order', 'b1', '2.1']],
    [['close_all']],
    [['register_event', 'fb']],
    [['register_event', 'fb', EVENT.eventId, 'more']],
    [['REGISTER_EVENT', 'fb', EVENT.eventId]],
    [['echo', 'x'.repeat(65)]],
    [['echo', '"],["close_all']],
  ])('%j does not leave', async (words) => {
    const rig = await watching();
    rig.send(...words);
    await rig.pass(1);
    expect(rig.wire).toEqual([command('register', EVENT.eventId)]);
  });

  it('register no more events than the share, and are answered in their order', async () => {
    const rig = await watching({ mostRegistrations: 2 });
    rig.send('register_event', 'fb', '2026-03-01,3,4');
    rig.send('register_event', 'fb', '2026-03-01,5,6');
    rig.send('echo', 'e1-0');
    rig.send('register_event', 'fb', '2026-03-01,7,8');
    await rig.pass(1);
    expect(rig.wire).not.toContain(command('register', '2026-03-01,5,6'));
    expect(answers(rig)).toEqual([
      'ok',
      'ok',
      'customer_event_limit_exceeded',
      ['e1-0'],
      'customer_event_limit_exceeded',
    ]);
    rig.send('unregister_event', 'fb', '2026-03-01,3,4');
    rig.send('register_event', 'fb', '2026-03-01,5,6');
    await rig.pass(1);
    expect(rig.wire).toContain(command('register', '2026-03-01,5,6'));
  });
});

describe('a stream that is lost', () => {
  it.each([
    ['raw_close', [null, '']],
    ['close', [1008, '']],
  ] as const)('closes as the real one did: %s', async (fault, closed) => {
    const rig = await watching();
    rig.realHost.addFault(faultSchema.parse({ target: 'stream', fault }));
    await rig.pass(1);
    expect(rig.closed).toEqual([closed]);
  });

  it('is refused as the real one refuses', async () => {
    const rig = new PaperRig();
    rig.realHost.addFault(faultSchema.parse({ target: 'handshake', fault: 'refused_upgrade', status: 401 }));
    await rig.connect();
    expect(rig.closed).toEqual([[401, 'auth_rejected']]);
  });

  it('matches nothing until prices come again, and then at the prices of then', async () => {
    const rig = await watching();
    const order = await rig.place('for,h', 2.2, 10);
    rig.realHost.dropStreams();
    await rig.pass(1);
    rig.offer('for,h', [[2.3, 50]]);
    await rig.pass(5);
    expect(await rig.order(order['order_id'])).toMatchObject({ status: 'open' });
    await rig.connect();
    // An order that rests is matched at its own price.
    expect(await rig.order(order['order_id'])).toMatchObject({ status: 'done', price: 2.2 });
  });

  it('lets no order take prices that nobody sees any more', async () => {
    const rig = await watching();
    rig.realHost.dropStreams();
    await rig.pass(1);
    const order = await rig.place('for,h', 2, 10);
    await rig.pass(5);
    expect(await rig.order(order['order_id'])).toMatchObject({ status: 'open', bets: [] });
  });

  it('does not take what changed meanwhile for a trade', async () => {
    const rig = await watching({ fills: 'touch' });
    const order = await rig.place('for,h', 2.1, 10, 'lay');
    await rig.pass(3);
    rig.realHost.dropStreams();
    await rig.pass(1);
    rig.take(2.1, 40);
    await rig.connect();
    expect(rig.shown('for,h')?.[0]?.[1]).toBe(70);
    expect(await rig.order(order['order_id'])).toMatchObject({ status: 'open', bets: [] });
  });

  it('leaves orders in their places, before what came later', async () => {
    const rig = await watching();
    const order = await rig.place('for,h', 2.1, 10, 'lay');
    await rig.pass(3);
    rig.realHost.dropStreams();
    await rig.pass(1);
    await rig.connect();
    rig.take(2.1, 40);
    await rig.pass(4);
    expect(await rig.order(order['order_id'])).toMatchObject({ status: 'open' });
  });

  it('does not look alive because paper orders change', async () => {
    const rig = await watching();
    const sent = rig.entries.length;
    // Nothing comes from the exchange any more, and nobody says so.
    rig.realHost.addFault(faultSchema.parse({ target: 'stream', fault: 'half_open', for_s: 600 }));
    await rig.pass(20);
    await rig.place('for,h', 2.2, 10);
    await rig.pass(10);
    expect(rig.entries.slice(sent).filter(([tag]) => tag === 'offer')).toEqual([]);
  });
});

describe('clear_events', () => {
  it('passes, and matches nothing until the snapshot is back', async () => {
    const rig = await watching();
    const order = await rig.place('for,h', 2.2, 10);
    rig.realHost.run((nowMs) => rig.real.market.clear(nowMs, 8_000));
    await rig.pass(1);
    expect(rig.tags()).toContain('clear_events');
    rig.offer('for,h', [[2.3, 50]]);
    const taking = await rig.place('for,h', 2, 10);
    expect(await rig.order(order['order_id'])).toMatchObject({ status: 'open' });
    expect(await rig.order(taking['order_id'])).toMatchObject({ status: 'open', bets: [] });
    await rig.pass(6);
    expect(await rig.order(order['order_id'])).toMatchObject({ status: 'done' });
  });
});

it('closes paper orders when the event leaves the exchange', async () => {
  const rig = await watching();
  const order = await rig.place('for,h', 2.2, 10);
  rig.realHost.run((nowMs) => rig.real.market.removeEvent(EVENT, nowMs));
  await rig.pass(2);
  expect(await rig.order(order['order_id'])).toMatchObject({ closed: true, close_reason: 'expired' });
});

it('shows the offers of an event that goes in play', async () => {
  const rig = await watching();
  rig.realHost.run((nowMs) => rig.real.market.goInRunning(EVENT, nowMs));
  await rig.pass(3);
  expect(rig.shown('for,h')).toEqual([[2.1, 100]]);
});
