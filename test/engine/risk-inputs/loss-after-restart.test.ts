import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { openJournal } from '../../../src/app/journal/open-journal.ts';
import { resumeOffline } from '../../../src/app/operate/offline.ts';
import { JournalError } from '../../../src/domain/errors.ts';
import { eventId, sport } from '../../../src/domain/ids.ts';
import { selectionId } from '../../../src/domain/selection.ts';
import { RiskMemory } from '../../../src/engine/risk-inputs/risk-memory.ts';
import type { HttpRequest } from '../../../src/ports/transport.ts';
import type { CalmDay } from '../../support/calm-day.ts';
import { dayWithBet, lossLimitsOf } from '../../support/day-with-bet.ts';
import { temporaryFolder } from '../../support/exchange.ts';

/** The day’s bet loses 18.8448. */
const LOST = { kind: 'score', home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 } as const;

it('counts a loss of open bets once, however often the daemon restarts', async () => {
  const { day, market } = await dayWithBet(lossLimitsOf(25));
  market.move(1.3, 1.4);
  await day.pass(65_000);
  const lostMicros = (): readonly number[] =>
    day.run.composed.core.risk.snapshot().results.map(({ dayMicros }) => 0 - dayMicros);
  const before = lostMicros();
  expect(Math.min(...before)).toBeGreaterThan(15e6);
  for (let restart = 0; restart < 2; restart++) {
    await day.crash();
    await day.begin(false);
    await day.pass(65_000);
    expect(lostMicros()).toEqual(before);
    expect(day.run.composed.core.risk.killed).toBeNull();
  }
});

it('keeps the fair values when the daemon starts killed and dies at once', async () => {
  const { day, market } = await dayWithBet();
  market.move(1.3, 1.4);
  await day.pass(65_000);
  const remembered = (): unknown => day.run.composed.journal.last('risk_snapshot')?.data;
  day.controls.kill('drill', 'a person');
  const { fairs } = remembered() as { readonly fairs: unknown };
  expect(fairs).toEqual([[market.selectionId, expect.any(Number)]]);
  await day.crash();
  await day.begin(false);
  expect(remembered()).toMatchObject({ kill: { reason: 'drill' }, fairs });
});

/** Matches the list of orders, which omits filled ones below. */
const isListing = ({ method, path }: HttpRequest): boolean =>
  method === 'GET' && path.startsWith('/v2/orders/?');

function listNothingFilled({ http }: CalmDay['world']['wires']): void {
  const send = http.send.bind(http);
  http.send = (request) =>
    isListing(request) && !request.path.includes('status=open')
      ? Promise.resolve({ status: 200, headers: {}, body: JSON.stringify({ status: 'ok', data: [] }) })
      : send(request);
}

it('judges no results in a run that cannot read all bets, and leaves the remembered results alone', async () => {
  const oneWins = { 'risk.grids.scoreSports': '["fb_ht"]', 'risk.grids.winnerMarketTypes': '["wdw"]' };
  const { day, market } = await dayWithBet({ ...lossLimitsOf(7), ...oneWins });
  day.controls.kill('drill', 'a person');
  await day.pass(5_000);
  // The bet wins if its selection loses.
  market.move(4, 4.4);
  day.resume();
  await day.pass(65_000);
  const { disk } = day.world;
  const remembered = (): unknown => {
    const { results, fairs, places, winnerMarkets } = disk.store.records.findLast(
      ({ kind }) => kind === 'risk_snapshot',
    )!.data as {
      readonly results: readonly { readonly totalMicros: number }[];
      readonly fairs: unknown;
      readonly places: readonly { readonly competitionId: unknown }[];
      readonly winnerMarkets: readonly { readonly market: unknown }[];
    };
    const competitions = places.map(({ competitionId }) => competitionId);
    const markets = winnerMarkets.map(({ market: name }) => name);
    return [results.map(({ totalMicros }) => totalMicros), fairs, competitions, markets];
  };
  const before = remembered();
  expect(before).toMatchObject([expect.any(Array), expect.any(Array), [7], ['wdw']]);
  await day.crash();
  // After this time, neither the updates nor the list report the bet to a run without a cursor.
  await day.pass(80 * 60_000);
  listNothingFilled(day.world.wires);
  disk.damagedSeq = 4;
  await day.begin(false);
  await day.pass(65_000);
  expect(day.run.composed.parts.core.ledger.selections()).toEqual([]);
  expect([day.run.composed.core.risk.killed, remembered()]).toEqual([null, before]);
  await day.crash();
  disk.repair();
  await day.begin(false);
  await day.pass(65_000);
  expect([day.run.composed.core.risk.killed, remembered()]).toEqual([null, before]);
});

it('keeps its own last results, not the earlier run’s, when the journal can no longer be read', async () => {
  const { day } = await dayWithBet();
  await day.pass(65_000);
  const remembered = (): unknown => day.run.composed.journal.last('risk_snapshot')?.data;
  const { fairs, places } = remembered() as { readonly fairs: unknown; readonly places: unknown };
  // A retention whose read fails reports this; appends still work.
  day.run.composed.parts.orders.journalFailed(new JournalError('cannot read the journal'));
  await day.pass(65_000);
  expect(fairs).toHaveLength(1);
  expect(remembered()).toMatchObject({ fairs, places });
});

it.each([
  ['running', 'the daemon runs'],
  ['down', 'it is down'],
])('kills for a loss beyond the limit when the bet is settled while %s (%s)', async (when) => {
  const { day, market } = await dayWithBet(lossLimitsOf(15));
  await day.pass(65_000);
  if (when === 'down') day.world.kill();
  market.intervene({ kind: 'end', result: LOST });
  if (when === 'down') {
    await day.pass(90_000);
    await day.begin(false);
  }
  await day.until('killed', () => day.run.composed.core.risk.killed !== null);
  expect(day.run.composed.core.risk.killed?.reason).toMatch(/^lost /);
  expect(day.run.composed.parts.core.ledger.profitLoss(() => null).realisedMicros).toBe(-18_844_800);
});

it('remembers a loss of the first minute when the daemon dies in that minute', async () => {
  const { day, market } = await dayWithBet(lossLimitsOf(25));
  market.intervene({ kind: 'end', result: LOST });
  const { ledger } = day.run.composed.core;
  await day.until('settled', () => ledger.profitLoss(() => null).realisedMicros !== 0);
  for (let run = 0; run < 2; run++) {
    await day.crash();
    await day.begin(false);
    const results = day.run.composed.core.risk.snapshot().results.map(({ dayMicros }) => dayMicros);
    expect(results).toEqual([-18_844_800, -18_844_800]);
  }
});

it('starts counting at the last known result after a resume without a daemon', () => {
  const folder = temporaryFolder();
  const [clock, settings] = [new VirtualClock(), { 'journal.path': `${folder.path}/journal.sqlite` }];
  const config = loadConfig({ files: [], environment: {}, settings }).values;
  const kill = { by: 'loss limit', reason: 'lost 90', atMs: 1 };
  const result = { of: { kind: 'account' }, day: 5 } as const;
  const remembered = <T>(use: (memory: RiskMemory) => T): T => {
    const held = openJournal(config.journal.path, clock);
    try {
      return use(new RiskMemory(held.journal));
    } finally {
      held.release();
    }
  };
  const results = [{ ...result, dayMicros: -90, fromPeakMicros: -120, totalMicros: 40 }];
  const place = { sport: sport('fb'), eventId: eventId('2026-03-01,1,2'), competitionId: 7, startTimeMs: 5 };
  const idOf = (outcome: string) => selectionId(sport('fb'), place.eventId, outcome);
  const aboutBets = {
    fairs: [[idOf('h'), 0.5]] as const,
    places: [place],
    winnerMarkets: [{ selectionId: idOf('win,7'), market: 'win' }],
  };
  remembered((memory) => memory.save({ kill, states: [], results, ...aboutBets }));
  resumeOffline(config, { by: 'a person', reason: 'looked into it', atMs: 2 }, clock);
  expect(remembered((memory) => memory.load().snapshot)).toMatchObject({
    ...aboutBets,
    kill: null,
    results: [{ ...result, dayMicros: 0, fromPeakMicros: 0, totalMicros: 40 }],
  });
  folder.remove();
});
