import { beforeEach, describe, expect, it } from 'vitest';
import { eventKey } from '../../../src/domain/events.ts';
import type { SelectionId, Sport } from '../../../src/domain/ids.ts';
import { intentKey, type QuoteIntent } from '../../../src/domain/quote-intent.ts';
import { InvariantError } from '../../../src/lib/assert.ts';
import type { WaitCode } from '../../../src/orders/send-gate.ts';
import { eventOf, isSame, ownerOf, Targets } from '../../../src/orders/targets/targets.ts';
import { EVENT, EVENT_NAME, quote } from '../../support/order-manager-rig.ts';

const KEY = eventKey(EVENT_NAME);
const OTHER = { ...EVENT_NAME, sport: 'tennis' as Sport };
const other = (over: Partial<QuoteIntent> = {}): QuoteIntent =>
  quote({ selectionId: `tennis|${EVENT}|h` as SelectionId, ...over });

let targets: Targets;

beforeEach(() => {
  targets = new Targets({ of: ({ sport }) => `owner of ${sport}` });
});

describe('an order serves a quote', () => {
  it.each<[what: string, over: Partial<QuoteIntent>, serves: boolean]>([
    ['that is equal', {}, true],
    ['of another worth', { valueMicrosPerS: 9 }, true],
    ['at another price', { tick: 111 }, false],
    ['of another stake', { stakeMicros: 1 }, false],
    ['of another mode', { mode: 'take_only' }, false],
    ['of another kind of price', { priceKind: 'odds-against' }, false],
  ])('%s: %s', (_, over, serves) => {
    expect(isSame(quote(), quote(over))).toBe(serves);
    targets.set(EVENT_NAME, [quote()]);
    expect(targets.wants(intentKey(quote()), quote(over))).toBe(serves);
    expect(targets.set(EVENT_NAME, [quote(over)])).toBe(!serves);
  });
});

describe('the quotes of an event', () => {
  it('are news if there are more, less or others of them, or if the event is new', () => {
    const [a, b] = [quote(), quote({ level: 1 })];
    const news = [[], [], [a], [a], [a, b], [b], []].map((quotes) => targets.set(EVENT_NAME, quotes));
    expect(news).toEqual([true, false, true, false, true, true, true]);
  });

  it('replace those of before, and leave other events alone', () => {
    targets.set(OTHER, [other()]);
    targets.set(EVENT_NAME, [quote(), quote({ level: 1 })]);
    targets.set(EVENT_NAME, [quote({ level: 2 })]);
    expect([...(targets.of(KEY)?.intents.keys() ?? [])]).toEqual([intentKey(quote({ level: 2 }))]);
    expect(targets.of(KEY)?.event).toEqual(EVENT_NAME);
    expect([...targets.events()]).toEqual([eventKey(OTHER), KEY]);
    expect([targets.knows(OTHER), targets.knows(EVENT_NAME)]).toEqual([true, true]);
    expect(targets.wants(intentKey(other()), other())).toBe(true);
    targets.delete(KEY);
    expect([targets.knows(OTHER), targets.knows(EVENT_NAME), targets.of(KEY)]).toEqual([
      true,
      false,
      undefined,
    ]);
    expect(targets.wants(intentKey(quote({ level: 2 })), quote({ level: 2 }))).toBe(false);
  });

  it('have their latest worth, and none once they are not wanted', () => {
    const [a, b] = [quote({ valueMicrosPerS: 5 }), quote({ level: 1, valueMicrosPerS: 6 })];
    const values = (): number[] => [a, b].map((each) => targets.valueOf(intentKey(each)));
    targets.set(EVENT_NAME, [a, b]);
    expect(values()).toEqual([5, 6]);
    targets.set(EVENT_NAME, [quote({ valueMicrosPerS: 7 })]);
    expect(values()).toEqual([7, 0]);
    targets.set(EVENT_NAME, [quote()]);
    expect(values()).toEqual([0, 0]);
    targets.set(EVENT_NAME, [a]);
    targets.delete(KEY);
    targets.delete(KEY);
    expect(values()).toEqual([0, 0]);
  });
});

describe('the quotes that wait', () => {
  const waits = (intent: QuoteIntent, code: WaitCode): void =>
    targets.waits({ key: intentKey(intent), intent, code, detail: null });
  const state = () => [[...targets.contenders()], targets.contendersRevision];

  it('are known by their latest reason until they are served', () => {
    waits(quote(), 'heartbeat');
    waits(quote(), 'risk');
    waits(other(), 'risk');
    expect(targets.waiting().map(({ key, code }) => [key, code])).toEqual([
      [intentKey(quote()), 'risk'],
      [intentKey(other()), 'risk'],
    ]);
    targets.served(intentKey(quote()));
    targets.served(intentKey(quote()));
    expect(targets.waiting()).toHaveLength(1);
  });

  it.each(['in_flight_limit', 'strategy_turn'] as const)(
    'make their strategy a contender as long as one of them waits for its turn: %s',
    (code) => {
      waits(quote(), code);
      waits(quote({ level: 1 }), code);
      expect(state()).toEqual([['owner of fb'], 1]);
      waits(other(), code);
      expect(state()).toEqual([['owner of fb', 'owner of tennis'], 2]);
      targets.served(intentKey(quote()));
      expect(state()).toEqual([['owner of fb', 'owner of tennis'], 2]);
      waits(quote({ level: 1 }), 'risk');
      expect(state()).toEqual([['owner of tennis'], 3]);
    },
  );

  it('for anything else make no contender', () => {
    waits(quote(), 'heartbeat');
    expect(state()).toEqual([[], 0]);
  });
});

it('a quote belongs to the event of its selection, and a selection without one is a bug', () => {
  expect(eventOf(quote())).toMatchObject(EVENT_NAME);
  expect(ownerOf({ of: ({ sport }) => sport }, other())).toBe('tennis');
  expect(() => eventOf({ selectionId: 'nonsense' as SelectionId })).toThrow(InvariantError);
});
