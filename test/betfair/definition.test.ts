import { describe, expect, it } from 'vitest';
import { type MarketDefinition, readDefinition } from '../../src/betfair/definition.ts';

function read(value: object, before: MarketDefinition | null = null): MarketDefinition {
  const [definition, wrong] = readDefinition('1.5', value, before);
  if (definition === null) throw new Error(wrong);
  return definition;
}

/** No member has the value that leaving it out means. */
const WHOLE = {
  eventId: '31',
  eventTypeId: '7',
  marketType: 'PLACE',
  eventName: 'Ascot',
  countryCode: 'GB',
  numberOfWinners: 3,
  marketTime: '2026-01-03T15:00:00.000Z',
  inPlay: true,
  status: 'SUSPENDED',
  betDelay: 5,
  betDelayModels: ['PASSIVE'],
  marketBaseRate: 8,
  runners: [
    {
      id: 2,
      hc: 0.25,
      name: 'Second',
      status: 'REMOVED',
      sortPriority: 2,
      adjustmentFactor: 12.5,
      removalDate: '2026-01-03T14:00:00.000Z',
      bsp: 4.2,
    },
    { id: 1, name: 'First', status: 'ACTIVE', sortPriority: 1 },
  ],
};

describe('a definition', () => {
  const whole = read(WHOLE);

  it('is read whole, the runners by their priority', () => {
    expect(whole).toEqual({
      matchId: '31',
      sportCode: '7',
      marketType: 'PLACE',
      eventName: 'Ascot',
      country: 'GB',
      winners: 3,
      startMs: Date.parse(WHOLE.marketTime),
      inPlay: true,
      status: 'SUSPENDED',
      betDelayMs: 5_000,
      betDelayModels: ['PASSIVE'],
      commissionRate: 0.08,
      runners: [
        {
          runnerId: 1,
          handicap: 0,
          name: 'First',
          status: 'ACTIVE',
          sortPriority: 1,
          factor: null,
          removedMs: null,
          startingPrice: null,
        },
        {
          runnerId: 2,
          handicap: 0.25,
          name: 'Second',
          status: 'REMOVED',
          sortPriority: 2,
          factor: 12.5,
          removedMs: Date.parse('2026-01-03T14:00:00.000Z'),
          startingPrice: 4.2,
        },
      ],
    });
  });

  it.each(Object.keys(WHOLE))('that leaves %s out says what the one before said', (member) => {
    const { [member as keyof typeof WHOLE]: _, ...rest } = WHOLE;
    expect(read(rest, whole)).toEqual(whole);
  });

  it('that says nothing says what the one before said', () => {
    expect(read({}, whole)).toEqual(whole);
  });

  it.each(Object.keys(WHOLE.runners[0] ?? {}).filter((member) => member !== 'id' && member !== 'hc'))(
    'whose runner leaves %s out says what the one before said',
    (member) => {
      const [{ [member as 'name']: _, ...runner } = {}] = WHOLE.runners as readonly { name?: string }[];
      expect(read({ runners: [runner] }, whole)).toEqual(whole);
    },
  );

  it('replaces what it names, and nothing else', () => {
    expect(read({ numberOfWinners: 2, betDelay: 0, inPlay: false }, whole)).toEqual({
      ...whole,
      winners: 2,
      betDelayMs: 0,
      inPlay: false,
    });
  });
});
