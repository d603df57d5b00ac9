import { describe, expect, it } from 'vitest';
import { EVENT, PaperRig } from './support/rig.ts';

/** How the prices of an event may stop while the stream goes on or not. */
const ENDS: Readonly<Record<string, (rig: PaperRig) => void>> = {
  'the client unregistered': (rig) => rig.send('unregister_event', EVENT.sport, EVENT.eventId),
  'the exchange lost its feed': (rig) => rig.realHost.run((nowMs) => rig.real.market.clear(nowMs, 600_000)),
  'the stream was lost': (rig) => rig.realHost.dropStreams(),
};

describe('prices that nobody watches any more', () => {
  it.each(Object.entries(ENDS))('match no order, old or new: %s', async (_, end) => {
    const rig = new PaperRig();
    rig.offer('for,h', [[2.1, 100]]);
    rig.offer('against,h', [[1.9, 80]]);
    await rig.connect();
    const resting = await rig.place('for,h', 2.2, 10);
    end(rig);
    await rig.pass(1);
    // It would take the offer that was there.
    const taking = await rig.place('for,h', 2.1, 10);
    rig.offer('for,h', [[2.3, 50]]);
    await rig.pass(10);
    for (const order of [resting, taking])
      expect(await rig.order(order['order_id'])).toMatchObject({ status: 'open', bets: [] });
    expect(rig.fills).toEqual([]);
  });

  it('match again when the client registers anew', async () => {
    const rig = new PaperRig();
    rig.offer('for,h', [[2.1, 100]]);
    await rig.connect();
    rig.send('unregister_event', EVENT.sport, EVENT.eventId);
    await rig.pass(1);
    const taking = await rig.place('for,h', 2.1, 10);
    rig.send('register_event', EVENT.sport, EVENT.eventId);
    await rig.pass(5);
    expect(await rig.order(taking['order_id'])).toMatchObject({ status: 'done', stake: ['USDT', 10] });
  });
});
