import { describe, expect, it } from 'vitest';
import { toMicros } from '../../../src/domain/money.ts';
import { CalmDay, type CalmDayOptions } from '../../support/calm-day.ts';
import { HOME_WINS, StillMarket } from '../../support/still-market.ts';

const HOUR_S = 3_600;
const OTHER_SPORT = 'fb_ht';

/** An event id that two sports use. The exchange describes the first half first. */
function sharedId(options: CalmDayOptions): { readonly day: CalmDay; readonly market: StillMarket } {
  const day = new CalmDay({ ...options, world: { events: 0 } });
  const { wires, exchange } = day.world;
  wires.host.run((nowMs) => describeHalf(exchange.market, nowMs));
  return { day, market: new StillMarket(day.world, HOUR_S) };
}

function describeHalf(market: CalmDay['world']['exchange']['market'], nowMs: number): void {
  const eventId = '2026-03-01,1,2';
  const at = { sport: OTHER_SPORT, eventId, outcome: HOME_WINS };
  market.putEvent(
    {
      sport: OTHER_SPORT,
      eventId,
      eventType: 'normal',
      eventName: 'A v B',
      competitionId: 7,
      competitionName: 'League',
      competitionCountry: 'GB',
      home: 'A',
      away: 'B',
      homeId: 1,
      awayId: 2,
      teams: [],
      startTimeMs: nowMs + HOUR_S * 1000,
      endTimeMs: null,
    },
    nowMs,
  );
  market.setLevel('maker', at, 'against', 1.9, toMicros(1_000), nowMs);
  market.setLevel('maker', at, 'for', 2.1, toMicros(1_000), nowMs);
}

const guardsOf = ({ run }: CalmDay): readonly string[] =>
  run.composed.core.risk.guards.active().map(({ guard }) => guard);

const sportsQuoted = ({ run }: CalmDay): ReadonlySet<string> =>
  new Set(Array.from(run.composed.parts.orders.orders(), ({ sport }) => sport));

describe('an event id that several sports use', () => {
  it('is guarded by the data of the quoted sport', async () => {
    const { day, market } = sharedId({ daemon: { inPlay: true }, settings: { 'universe.sports': 'fb' } });
    await day.begin();
    market.does((live, nowMs) => live.setScore(market.at, 0, 0, nowMs));
    await day.pass(3_000);
    market.does((live, nowMs) => live.setScore(market.at, 1, 0, nowMs));
    await day.pass(1_000);
    expect(guardsOf(day)).toContain('score_change');
  });

  it('is guarded while the markets of the quoted sport are gone', async () => {
    const { day, market } = sharedId({ settings: { 'universe.sports': 'fb' } });
    await day.begin();
    market.does((live, nowMs) => live.setSuspended(market.at, true, nowMs));
    await day.pass(3_000);
    expect(guardsOf(day)).toContain('suspension');
  });

  it('loses only the quotes of the halted sport, at once', async () => {
    const { day, market } = sharedId({});
    await day.begin();
    const sports = () => sportsQuoted(day);
    await day.until('quotes in both', () => sports().size === 2);
    const halted = { state: 'halted', event: `fb_ht/${market.eventId}`, reason: 'odd news' } as const;
    expect(day.controls.setState(halted, 'al')).toMatchObject({ binding: 'halted' });
    await day.until('none of the half', () => !sports().has(OTHER_SPORT));
    await day.pass(5_000);
    expect([...sports()]).toEqual(['fb']);
  });

  it('loses the quotes of every sport when only its id is named', async () => {
    const { day, market } = sharedId({});
    await day.begin();
    const sports = () => sportsQuoted(day);
    await day.until('quotes in both', () => sports().size === 2);
    const halted = { state: 'halted', event: market.eventId, reason: 'odd news' } as const;
    const answer = day.controls.setState(halted, 'al') as { readonly scopes: readonly object[] };
    expect(answer.scopes).toHaveLength(2);
    await day.until('none at all', () => sports().size === 0);
  });
});
