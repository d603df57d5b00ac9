import { expect, it } from 'vitest';
import type { EventKey } from '../../../src/domain/ids.ts';
import type { IntentKey } from '../../../src/domain/quote-intent.ts';
import { BetslipWishes } from '../../../src/orders/targets/betslip-wishes.ts';
import type { Judge, MarketPlacing } from '../../../src/orders/targets/judge.ts';
import type { Targets } from '../../../src/orders/targets/targets.ts';

const [EVENT, OTHER] = ['fb|1', 'fb|2'] as EventKey[] as [EventKey, EventKey];

function rig() {
  let reduces = false;
  let asked = 0;
  const judge = { reduces: () => (asked++, reduces) } as Partial<Judge> as Judge;
  const targets = {
    of: (event: EventKey) => ({ intents: new Map([[`${event} quote`, {}]]) }),
    valueOf: () => 0,
  } as object as Targets;
  const wishes = new BetslipWishes(judge, targets);
  const want = (event: EventKey): void =>
    wishes.want(
      {
        ...{ key: `${event} quote` as IntentKey, intent: { selectionId: event } },
        market: { sport: 'fb', eventId: event, betType: 'for,h' },
      } as unknown as MarketPlacing,
      'order',
    );
  const judged = (): readonly boolean[] => wishes.all().map((wish) => wish.reduces);
  return { wishes, want, judged, asked: () => asked, set: (value: boolean) => (reduces = value) };
}

it.each([false, true])(
  'whether a quote reduces is asked once, and again when its event’s risk may have changed: %s',
  (first) => {
    const { wishes, want, judged, asked, set } = rig();
    set(first);
    want(EVENT);
    want(OTHER);
    expect([judged(), judged(), asked()]).toEqual([[first, first], [first, first], 2]);
    set(!first);
    wishes.forgetRisk(EVENT);
    expect([judged(), asked()]).toEqual([[!first, first], 3]);
  },
);
