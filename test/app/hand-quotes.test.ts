import { describe, expect, it } from 'vitest';
import { fromMicros } from '../../src/domain/money.ts';
import { isCreate } from '../sim/witness.ts';
import { CalmDay } from '../support/calm-day.ts';
import { limitEvent } from '../support/hedged-day.ts';
import { StillMarket } from '../support/still-market.ts';

const WHY = { reason: 'my view' };

interface Shown {
  readonly id: string;
  readonly filledUsdt: number;
}

/** A day on which a strategy quotes both sides of one selection, about 1.96 and 2.04. */
async function quoting() {
  const day = new CalmDay({ world: { events: 0 } });
  const market = new StillMarket(day.world, 7_200);
  await day.begin();
  await day.pass(5_000);
  return { day, market };
}

const ask = (day: CalmDay, wish: object = {}): Shown =>
  day.controls.hand.quote(
    { selection: 'A v B: A', direction: 'for', price: 2.08, stakeUsdt: 7, ...WHY, ...wish },
    'anna',
  ) as Shown;

const quotes = (day: CalmDay): readonly Shown[] => day.controls.hand.quotes() as readonly Shown[];

/** The open orders of a stake of 7, or what is left of it, at their prices. */
const handOrders = (day: CalmDay) =>
  day.open().filter(({ stakeMicros }) => fromMicros(stakeMicros) <= 7 && fromMicros(stakeMicros) > 0);

const isPlaced =
  (day: CalmDay, price = 2.08) =>
  (): boolean =>
    handOrders(day).length === 1 && handOrders(day)[0]?.price === price;

describe('a quote of a person', () => {
  it('rests beside the strategy’s, which leaves it alone through requotes and reloads', async () => {
    const { day, market } = await quoting();
    ask(day);
    await day.until('it rests', isPlaced(day));
    const [first] = handOrders(day);
    expect(day.open()).toHaveLength(3);
    market.move(1.92, 2.12);
    await day.pass(60_000);
    expect(handOrders(day)).toMatchObject([{ orderId: first?.orderId, price: 2.08 }]);
    expect(quotes(day)).toMatchObject([{ price: 2.08, stakeUsdt: 7, filledUsdt: 0, by: 'anna' }]);
  });

  it('follows one order with the next, and is never matched for more than its stake', async () => {
    const { day, market } = await quoting();
    const { id } = ask(day);
    await day.until('it rests', isPlaced(day));
    const [first] = handOrders(day);
    await day.pass(610_000);
    await day.until('the next order rests', isPlaced(day));
    expect(handOrders(day)[0]?.orderId).not.toBe(first?.orderId);
    // The strategy's own quote on that side comes first: more than both is taken.
    market.move(1.9, 2.2);
    market.take('against', 200);
    await day.until('it is matched', () => quotes(day).length === 0);
    await day.pass(60_000);
    const matched = day.world.exchange
      .inspect()
      .orders.filter(({ stakeMicros }) => fromMicros(stakeMicros) <= 7)
      .reduce((sum, { filledMicros }) => sum + filledMicros, 0);
    expect(fromMicros(matched)).toBeCloseTo(7, 2);
    expect(day.controls.hand.withdraw(id, 'x', 'anna')).toBeNull();
  });

  it('is moved: the order at the old price is closed before the next one is placed', async () => {
    const { day } = await quoting();
    const { id } = ask(day);
    await day.until('it rests', isPlaced(day));
    day.controls.hand.move(id, 2.12, 'better', 'anna');
    await day.until('it has moved', isPlaced(day, 2.12));
    expect(quotes(day)).toMatchObject([{ id, price: 2.12 }]);
  });

  it('is withdrawn, and its order closed', async () => {
    const { day } = await quoting();
    const { id } = ask(day);
    await day.until('it rests', isPlaced(day));
    expect(day.controls.hand.withdraw(id, 'enough', 'anna')).toMatchObject({ id });
    await day.until('it is closed', () => handOrders(day).length === 0);
    expect(quotes(day)).toEqual([]);
  });

  it('ends with its time', async () => {
    const { day } = await quoting();
    ask(day, { minutes: 1 });
    await day.until('it rests', isPlaced(day));
    await day.pass(62_000);
    expect([quotes(day), handOrders(day)]).toEqual([[], []]);
  });

  it('stands over a stop and a crash, for what is left of its stake', async () => {
    const { day } = await quoting();
    ask(day);
    await day.until('it rests', isPlaced(day));
    await day.stop();
    await day.begin();
    await day.until('it rests again', isPlaced(day));
    await day.crash();
    await day.begin();
    await day.until('it rests once more', isPlaced(day));
    expect(quotes(day)).toMatchObject([{ price: 2.08, stakeUsdt: 7 }]);
  });

  it('goes at a kill, for good', async () => {
    const { day } = await quoting();
    ask(day);
    await day.until('it rests', isPlaced(day));
    day.controls.kill('drill', 'anna');
    await day.until('all is closed', () => day.open().length === 0);
    day.resume();
    await day.until('the strategy quotes', () => day.open().length >= 2);
    await day.pass(20_000);
    expect([quotes(day), handOrders(day)]).toEqual([[], []]);
  });

  it('is not placed where a limit refuses it, nor where it would take', async () => {
    const { day } = await quoting();
    limitEvent(day, 30);
    ask(day, { stakeUsdt: 500 });
    ask(day, { price: 1.5 });
    const before = day.run.witness.sent.filter(isCreate).length;
    await day.pass(30_000);
    expect(day.open().filter(({ price, stakeMicros }) => price === 1.5 || stakeMicros >= 500e6)).toEqual([]);
    expect(day.run.witness.sent.filter(isCreate).length - before).toBeLessThan(4);
  });

  it('makes the strategy’s quotes give way that it would match', async () => {
    const { day } = await quoting();
    const against = day.open().find(({ price }) => price < 2);
    ask(day, { price: 1.94 });
    await day.until('the strategy gives way', () =>
      day.open().every(({ orderId }) => orderId !== against?.orderId),
    );
    await day.until('it rests', isPlaced(day, 1.94));
    expect(day.open().some(({ orderId }) => orderId === against?.orderId)).toBe(false);
  });

  it('is refused in words where it cannot be', async () => {
    const { day } = await quoting();
    ask(day);
    expect(() => ask(day, { direction: 'against', price: 2.1 })).toThrow('another quote of a person');
    expect(() => ask(day, { price: 2.081 })).toThrow('not on the ladder');
    expect(ask(day, { selection: 'nobody' })).toBeNull();
    for (const price of [2.1, 2.12, 2.14]) ask(day, { price });
    expect(() => ask(day, { price: 2.16 })).toThrow('withdraw one first');
    day.controls.setState({ state: 'halted', event: 'A v B', reason: 'news' }, 'bob');
    expect(() => ask(day)).toThrow('halted by bob: news');
  });
});
