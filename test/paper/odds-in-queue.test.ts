import { describe, expect, it } from 'vitest';
import { PaperRig } from './support/rig.ts';

/**
 * An order of odds for the selection, behind 100 of others whose offer of `against` is the same price: 1/own + 1/theirs = 1. Their
 * stake rests at lay prices, as on the real exchange, and ours at odds.
 */
async function behindOthers(own: number, theirs: number, worse: number) {
  const rig = new PaperRig({ fills: 'queue' });
  rig.offer('against,h', [
    [theirs, 100],
    [worse, 60],
  ]);
  rig.offer('for,h', [[1.2, 60]]);
  await rig.connect();
  const order = await rig.place('for,h', own, 10);
  await rig.pass(3);
  return { rig, theirs, orderId: order['order_id'] };
}

const models = ({ fills }: PaperRig): unknown => fills.map(({ model, cause }) => [model, cause]);

describe.each([
  [2, 2, 1.98],
  [3, 1.5, 1.49],
  [1.5, 3, 2.9],
  [1.25, 5, 4.9],
])('an order of odds of %s in the queue of offers at %s', (own, theirs, worse) => {
  it('waits for what was before it, and is reached by the taker of all of that', async () => {
    const { rig } = await behindOthers(own, theirs, worse);
    rig.offer('against,h', [[theirs, 60]]);
    await rig.pass(4);
    expect(models(rig)).toEqual([['touch', 'queue ahead traded']]);
    rig.offer('against,h', [[theirs, 0]]);
    await rig.pass(4);
    expect(models(rig)).toEqual([
      ['touch', 'queue ahead traded'],
      ['queue', 'queue ahead traded'],
    ]);
  });

  it('is not reached by a trade that is smaller than the least bet of what is before it', async () => {
    const { rig } = await behindOthers(own, theirs, worse);
    rig.offer('against,h', [[theirs, 100, 5]]);
    await rig.pass(4);
    rig.offer('against,h', [[theirs, 97, 5]]);
    await rig.pass(4);
    expect(models(rig)).toEqual([['touch', 'queue ahead traded']]);
  });

  it('stays when all of that was withdrawn at once', async () => {
    const { rig } = await behindOthers(own, theirs, worse);
    rig.offer('against,h', [[theirs, 0]]);
    await rig.pass(4);
    expect(models(rig)).toEqual([]);
  });

  it('is filled when takers pass its price', async () => {
    const { rig, orderId } = await behindOthers(own, theirs, worse);
    rig.offer('against,h', [
      [theirs, 0],
      [worse, 40],
    ]);
    await rig.pass(4);
    expect(models(rig)).toEqual([
      ['touch', 'queue ahead traded'],
      ['through', 'price crossed'],
      ['queue', 'price crossed'],
    ]);
    expect(await rig.order(orderId)).toMatchObject({ status: 'done' });
  });

  // 1.99 and 2 are both shown as 2, so what comes later could be at 1.99. Nothing but 1.25 is shown as 5.
  it('waits for what came later, if that could be before it', async () => {
    const { rig } = await behindOthers(own, theirs, worse);
    rig.offer('against,h', [[theirs, 0]]);
    await rig.pass(4);
    rig.offer('against,h', [[theirs, 80]]);
    await rig.pass(4);
    rig.offer('against,h', [[theirs, 10]]);
    await rig.pass(4);
    const isOneOfSeveral = own !== 1.25;
    expect(models(rig)).toEqual([
      ['touch', 'queue ahead traded'],
      ...(isOneOfSeveral ? [] : [['queue', 'queue ahead traded']]),
    ]);
  });
});
