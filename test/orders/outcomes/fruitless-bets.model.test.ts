import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TrackedOrder } from '../../../src/account/orders.ts';
import { betType, type OrderId, orderId } from '../../../src/domain/ids.ts';
import type { VenueOrder } from '../../../src/domain/orders.ts';
import { FruitlessOrders } from '../../../src/orders/outcomes/fruitless-orders.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';
import { liveOrder } from '../../support/orders.ts';
import { assertUntil } from '../../support/covering.ts';

const ORDERS = 5;
const STOOD_MS = 60_000;
/** How reports take back what was matched: stake falls, or the order is shown as never matched, or is not found. */
const WAYS = ['falls', 'gone', 'gone, with a bet that failed', 'vanishes'] as const;
/** Reports that take nothing back: of an order that failed otherwise, that has stake, or bets, or is open. */
const NO_WAYS = ['another status', 'stake', 'a bet', 'open', 'a bet report'] as const;

type Step =
  | { readonly act: 'fill'; readonly at: number }
  | { readonly act: 'settle'; readonly at: number }
  | { readonly act: 'take back'; readonly at: number; readonly way: (typeof WAYS)[number] }
  | { readonly act: 'show'; readonly at: number; readonly way: (typeof NO_WAYS)[number] }
  | { readonly act: 'wait'; readonly ms: number }
  | { readonly act: 'sweep' };

const at = fc.nat(ORDERS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: at.map((of): Step => ({ act: 'fill', at: of })) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(at, fc.constantFrom(...WAYS))
      .map(([of, way]): Step => ({ act: 'take back', at: of, way })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(at, fc.constantFrom(...NO_WAYS))
      .map(([of, way]): Step => ({ act: 'show', at: of, way })),
  },
  { weight: 1, arbitrary: at.map((of): Step => ({ act: 'settle', at: of })) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(1, 1, 500, 20_000, 59_999, 60_000).map((ms): Step => ({ act: 'wait', ms })),
  },
  { weight: 2, arbitrary: fc.constant<Step>({ act: 'sweep' }) },
);

/** The first three orders are of one market, the others of another. */
const marketOf = (of: number): string => (of < 3 ? 'home' : 'away');

/** What the exchange has shown of the matched stake of each order, and what is said of attempts. */
function rig() {
  const clock = { nowMs: 1_000_000, monotonicMs: () => clock.nowMs };
  const said: string[] = [];
  const stakes = Array.from({ length: ORDERS }, () => ({ filled: 0, fallen: 0, isSettled: false }));
  const stakeOf = (id: OrderId) => stakes[id - 1]!;
  const context = {
    fruitless: {
      failed: (
        kind: string,
        { market, beganMs }: { market: string; beganMs: number },
        _: string,
        isOfAccount = true,
      ) => void said.push(`${kind} failed ${market} ${beganMs} ${isOfAccount}`),
      lasted: (kind: string, { market, beganMs }: { market: string; beganMs: number }) =>
        void (kind === 'bet' && said.push(`bet lasted ${market} ${beganMs}`)),
    },
    deps: {
      clock,
      account: {
        bets: {
          filledOf: (id: OrderId) => stakeOf(id).filled,
          standingOf: (id: OrderId) => stakeOf(id).filled - stakeOf(id).fallen,
          resultOf: (id: OrderId) => (stakeOf(id).isSettled ? {} : null),
        },
      },
    },
  };
  const { bets } = new FruitlessOrders(context as unknown as OrderContext);
  const orders = stakes.map(
    (_, of) =>
      ({
        order: liveOrder({ orderId: orderId(of + 1), betType: betType('for,h') }),
      }) as unknown as TrackedOrder,
  );
  return { clock, said, stakes, bets, orders };
}

const GONE = { closed: true, status: 'failed', stakeMicros: null, bets: [] };
const BET = { betId: 1, gotStakeMicros: 5, gotPrice: 2, statusCode: 'done', exchangeRole: 'maker' };

/** The report that shows it so. */
function reportOf(way: (typeof WAYS)[number] | (typeof NO_WAYS)[number]): VenueOrder | null {
  switch (way) {
    case 'a bet report':
      return null;
    case 'another status':
      return { ...GONE, status: 'done' } as unknown as VenueOrder;
    case 'stake':
      return { ...GONE, stakeMicros: 1 } as unknown as VenueOrder;
    case 'a bet':
      return { ...GONE, bets: [BET] } as unknown as VenueOrder;
    case 'open':
      return { ...GONE, closed: false } as unknown as VenueOrder;
    case 'falls':
      return { ...GONE, status: 'done', stakeMicros: 5 } as unknown as VenueOrder;
    case 'gone, with a bet that failed':
      return { ...GONE, bets: [{ ...BET, statusCode: 'failed' }] } as unknown as VenueOrder;
    default:
      return GONE as unknown as VenueOrder;
  }
}

interface Match {
  readonly of: number;
  readonly beganMs: number;
  readonly fallen: number;
  lastMs: number;
  isRevoked: boolean;
}

/** The same from the description alone. */
class Model {
  readonly said: string[] = [];
  #matches: Match[] = [];

  fill(of: number, fallen: number, nowMs: number): void {
    const known = this.#of(of);
    if (known !== undefined) known.lastMs = nowMs;
    else this.#matches.push({ of, beganMs: nowMs, fallen, lastMs: nowMs, isRevoked: false });
  }

  report(
    of: number,
    { fallen, isSettled, isGone }: Record<'isSettled' | 'isGone', boolean> & { fallen: number },
    nowMs: number,
  ): void {
    const match = this.#of(of);
    if (match === undefined || match.isRevoked) return;
    if (nowMs - match.lastMs >= STOOD_MS) this.#over(match);
    else if (fallen > match.fallen || isGone) this.revoke(of);
    else if (isSettled) this.#over(match);
  }

  revoke(of: number): void {
    const match = this.#of(of);
    if (match === undefined || match.isRevoked) return;
    match.isRevoked = true;
    const older = this.#matches.filter(({ beganMs }) => beganMs <= match.beganMs);
    const isMost = (among: readonly Match[]): boolean =>
      among.filter(({ isRevoked }) => isRevoked).length >= among.filter(({ isRevoked }) => !isRevoked).length;
    if (isMost(older.filter((each) => marketOf(each.of) === marketOf(of))))
      this.said.push(`bet failed ${marketOf(of)} ${match.beganMs} ${isMost(older)}`);
  }

  sweep(nowMs: number): void {
    for (const match of Array.from(this.#matches)) if (nowMs - match.lastMs >= STOOD_MS) this.#over(match);
  }

  get shown(): readonly number[] {
    const unproven = this.#matches.filter(({ isRevoked }) => !isRevoked).length;
    return [unproven, Math.min(Infinity, ...this.#matches.map(({ lastMs }) => lastMs + STOOD_MS))];
  }

  #of(of: number): Match | undefined {
    return this.#matches.find((match) => match.of === of);
  }

  #over(match: Match): void {
    this.#matches = this.#matches.filter((each) => each !== match);
    if (!match.isRevoked) this.said.push(`bet lasted ${marketOf(match.of)} ${match.beganMs}`);
  }
}

/** All that is said in some case. */
const SAID = [
  'bet failed away false',
  'bet failed away true',
  'bet failed home false',
  'bet failed home true',
  'bet lasted away',
  'bet lasted home',
];

it('says of what was matched whether it stands, by most of the orders that are at least as old', () => {
  const seen = new Set<string>();
  assertUntil(
    () => seen.size === SAID.length,
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      const { clock, said, stakes, bets, orders } = rig();
      const model = new Model();
      const report = (of: number, way: Parameters<typeof reportOf>[0]): void => {
        const order = reportOf(way);
        bets.reported(orders[of]!, order);
        const { fallen, isSettled } = stakes[of]!;
        model.report(of, { fallen, isSettled, isGone: way.startsWith('gone') }, clock.nowMs);
      };
      for (const each of steps) {
        switch (each.act) {
          case 'wait':
            clock.nowMs += each.ms;
            break;
          case 'sweep':
            bets.sweep();
            model.sweep(clock.nowMs);
            break;
          case 'fill':
            stakes[each.at]!.filled += 10;
            bets.filled(orders[each.at]!, marketOf(each.at));
            model.fill(each.at, stakes[each.at]!.fallen, clock.nowMs);
            break;
          case 'settle':
            stakes[each.at]!.isSettled = true;
            report(each.at, 'a bet report');
            break;
          case 'show':
            report(each.at, each.way);
            break;
          case 'take back':
            if (each.way === 'vanishes') {
              bets.vanished(orders[each.at]!);
              model.revoke(each.at);
              break;
            }
            if (each.way === 'falls') stakes[each.at]!.fallen += 1;
            report(each.at, each.way);
        }
        expect(said).toEqual(model.said);
        expect([bets.unproven, bets.dueMs]).toEqual(model.shown);
      }
      for (const line of said) seen.add(line.replace(/ \d+/, ''));
    }),
    { numRuns: 400 },
  );
  expect([...seen].sort()).toEqual(SAID);
});
