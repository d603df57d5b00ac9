import { expect, it } from 'vitest';
import { type BetslipTarget, marketsOf } from '../../../src/orders/plan/markets.ts';

const target = (over: Partial<BetslipTarget> = {}): BetslipTarget => ({
  key: 'one',
  selection: 's',
  value: 1,
  need: 'order',
  reduces: false,
  isSendable: true,
  ...over,
});

it.each<[what: string, targets: readonly BetslipTarget[], reduces: boolean]>([
  ['one of several that wait reduces', [target(), target({ reduces: true }), target()], true],
  ['none that waits reduces', [target(), target()], false],
  ['one that reduces cannot be sent', [target(), target({ reduces: true, isSendable: false })], false],
  ['one that reduces has its order already', [target(), target({ reduces: true, need: 'next' })], false],
  ['nothing waits', [target({ reduces: true, need: 'placing' })], false],
])('a market where %s', (_, targets, reduces) => {
  expect(marketsOf(targets).get('one')?.reduces).toBe(reduces);
});

it('a market has the needs of all its targets, and the value of the best', () => {
  const markets = marketsOf([
    target({ value: 2, need: 'next' }),
    target({ value: 5 }),
    target({ value: 9, key: 'two' }),
  ]);
  expect(markets.get('one')).toMatchObject({
    value: 5,
    waits: true,
    needs: { order: true, placing: false, next: true },
  });
  expect([...markets.keys()]).toEqual(['one', 'two']);
});
