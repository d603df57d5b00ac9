import { describe, expect, it } from 'vitest';
import { readDefinition } from '../../src/betfair/definition.ts';
import { groupedByEvent, type GroupedMarket, identityOf } from '../../src/betfair/identity.ts';
import { mapMarket } from '../../src/betfair/mapping.ts';

interface Given {
  readonly type?: string;
  readonly start?: string;
  readonly ids?: readonly number[];
  readonly sport?: string;
  readonly eventName?: string;
  readonly names?: readonly string[];
}

function market(marketId: string, given: Given = {}): GroupedMarket {
  const { type = 'WIN', start = '10:30:00', ids = [1, 2], sport = '7', eventName = '', names = [] } = given;
  const [definition, wrong] = readDefinition(
    marketId,
    {
      eventId: 9,
      eventTypeId: sport,
      marketType: type,
      marketTime: `2025-05-10T${start}Z`,
      eventName,
      numberOfWinners: type === 'PLACE' ? 3 : 1,
      runners: ids.map((id, at) => ({ id, sortPriority: at + 1, name: names[at] ?? null, hc: null })),
    },
    null,
  );
  if (definition === null) throw new Error(wrong);
  return { marketId, definition, scheduledMs: definition.startMs };
}

const groups = (...markets: readonly GroupedMarket[]): string[] =>
  groupedByEvent(markets).map((group) => group.map(({ marketId }) => marketId).join());

describe('the markets of a meeting', () => {
  it.each([
    ['a second apart', '10:30:01', ['1.1,1.2']],
    ['two minutes apart', '10:28:00', ['1.1,1.2']],
    ['three minutes apart', '10:33:00', ['1.1,1.2']],
    ['a second more apart', '10:33:01', ['1.1', '1.2']],
    ['another race', '10:45:00', ['1.1', '1.2']],
  ])('are one event with one start and runner: %s', (_, start, expected) => {
    expect(groups(market('1.1'), market('1.2', { type: 'PLACE', start }))).toEqual(
      expected.length === 1 ? expected : ['1.1', '1.2'],
    );
  });

  it('are one event by the start that was named first, wherever the last one lies', () => {
    const place = market('1.2', { type: 'PLACE', start: '10:30:01' });
    const postponed = { ...market('1.1', { start: '10:41:00' }), scheduledMs: market('1.1').scheduledMs };
    expect(groups(postponed, place)).toEqual(['1.1,1.2']);
    // The next race of the same runner is another one, though the first was put off until its time.
    const next = market('1.3', { start: '10:40:00' });
    expect(groups(postponed, place, next)).toEqual(['1.1,1.2', '1.3']);
  });

  it('are two events without a common runner', () => {
    expect(groups(market('1.1'), market('1.2', { ids: [3, 4], start: '10:31:00' }))).toEqual(['1.1', '1.2']);
  });

  it('name the event by its winner market, whatever comes first', () => {
    expect(groups(market('1.1', { type: 'PLACE' }), market('1.2'))).toEqual(['1.2,1.1']);
    expect(identityOf(market('1.2'))).toMatchObject({ numbers: '9,37800', teams: null });
  });
});

describe('home and away', () => {
  const match = (eventName: string, names: readonly string[] = []): GroupedMarket =>
    market('1.1', { type: 'MATCH_ODDS', sport: '7522', ids: [5, 6], eventName, names });
  const shown = (given: GroupedMarket): unknown[] => {
    const { teams, numbers } = identityOf(given);
    const mapped = mapMarket(given.definition);
    return [teams?.homeName, teams?.awayName, numbers, 'why' in mapped ? null : mapped.outcomes.join()];
  };

  it.each<[string, readonly string[], unknown[]]>([
    ['Hawks v Bulls', [], ['Hawks', 'Bulls', '5,6', 'h,a']],
    ['Hawks @ Bulls', [], ['Bulls', 'Hawks', '6,5', 'a,h']],
    ['Hawks @ Bulls', ['Hawks', 'Bulls'], ['Bulls', 'Hawks', '6,5', 'a,h']],
    ['Hawks @ Bulls', ['Bulls', 'Hawks'], ['Bulls', 'Hawks', '5,6', 'h,a']],
    ['', [], [null, null, '5,6', 'h,a']],
  ])('%j with runners %j', (eventName, names, expected) => {
    expect(shown(match(eventName, names))).toEqual(expected);
  });
});
